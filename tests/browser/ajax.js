// A small library in the place of Microsoft's: what the script proxies of a service need of it, in the JavaScript of its time.

(function (global) {
  "use strict";
  function resolve(name, make) {
    return name.split(".").reduce(function (object, part) {
      if (!object[part] && make) object[part] = {};
      return object[part];
    }, global);
  }

  global.Type = {
    registerNamespace: function (name) {
      resolve(name, true);
    },
  };
  Function.prototype.registerClass = function (name, base) {
    this.__name = name;
    this.__base = base;
    if (!base) return;
    for (var member in base.prototype) if (!(member in this.prototype)) this.prototype[member] = base.prototype[member];
  };
  Function.prototype.registerEnum = function (name) {
    this.__name = name;
    for (var value in this.prototype) this[value] = this.prototype[value];
  };
  Function.prototype.initializeBase = function (instance) {
    if (this.__base) this.__base.apply(instance);
  };

  // A date goes over the wire as \/Date(milliseconds)\/, with both backslashes.
  function serialize(value) {
    if (value instanceof Date) return '"\\/Date(' + value.getTime() + ')\\/"';
    if (value instanceof Array) return "[" + value.map(serialize).join(",") + "]";
    if (value === null || typeof value !== "object") return JSON.stringify(value === undefined ? null : value);
    var members = [];
    for (var name in value) if (typeof value[name] !== "function") members.push(JSON.stringify(name) + ":" + serialize(value[name]));
    return "{" + members.join(",") + "}";
  }

  function deserialize(text) {
    var dated = text.replace(/(^|[^\\])"\\\/Date\((-?[0-9]+)\)\\\/"/g, '$1{"__date":$2}');
    return JSON.parse(dated, function (name, value) {
      return value && typeof value === "object" && "__date" in value ? new Date(value.__date) : value;
    });
  }

  function WebServiceError(response) {
    this._response = response;
  }
  WebServiceError.prototype = {
    get_message: function () {
      return this._response.Message;
    },
    get_exceptionType: function () {
      return this._response.ExceptionType;
    },
    get_stackTrace: function () {
      return this._response.StackTrace;
    },
  };

  function WebServiceProxy() {}
  ["path", "timeout", "defaultUserContext", "defaultSucceededCallback", "defaultFailedCallback", "enableJsonp", "jsonpCallbackParameter"].forEach(function (name) {
    WebServiceProxy.prototype["set_" + name] = function (value) {
      this["_" + name] = value;
    };
    WebServiceProxy.prototype["get_" + name] = function () {
      return this["_" + name];
    };
  });
  WebServiceProxy.prototype._invoke = function (path, method, useGet, parameters, onSuccess, onFailure, userContext) {
    var succeeded = onSuccess || this.get_defaultSucceededCallback();
    var failed = onFailure || this.get_defaultFailedCallback();
    var url = path + "/" + encodeURIComponent(method);
    var body = null;
    if (useGet) {
      var query = [];
      for (var name in parameters) query.push(encodeURIComponent(name) + "=" + encodeURIComponent(serialize(parameters[name])));
      if (query.length) url += "?" + query.join("&");
    } else {
      body = serialize(parameters);
      // Microsoft's sends nothing for no parameters.
      if (body === "{}") body = "";
    }
    var request = new XMLHttpRequest();
    request.open(useGet ? "GET" : "POST", url);
    request.setRequestHeader("Content-Type", "application/json; charset=utf-8");
    request.onload = function () {
      var isJson = /^application\/json/.test(request.getResponseHeader("Content-Type"));
      if (request.getResponseHeader("jsonerror") === "true" || request.status !== 200) {
        if (failed) failed(new WebServiceError(isJson ? JSON.parse(request.responseText) : { Message: request.responseText }), userContext, method);
        return;
      }
      var answer = isJson ? deserialize(request.responseText) : request.responseXML || request.responseText;
      if (succeeded) succeeded(isJson && "d" in answer ? answer.d : answer, userContext, method);
    };
    request.send(body);
  };
  WebServiceProxy._generateTypedConstructor = function (type) {
    return function (properties) {
      if (properties) for (var name in properties) this[name] = properties[name];
      this.__type = type;
    };
  };
  global.Sys = { Net: { WebServiceProxy: WebServiceProxy, WebServiceError: WebServiceError } };
})(window);
