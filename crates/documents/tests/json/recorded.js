Type.registerNamespace('Lab.G');
Lab.G.GPlain=function() {
Lab.G.GPlain.initializeBase(this);
this._timeout = 0;
this._userContext = null;
this._succeeded = null;
this._failed = null;
}
Lab.G.GPlain.prototype={
_get_path:function() {
 var p = this.get_path();
 if (p) return p;
 else return Lab.G.GPlain._staticInstance.get_path();},
Echo:function(s,succeededCallback, failedCallback, userContext) {
return this._invoke(this._get_path(), 'Echo',false,{s:s},succeededCallback,failedCallback,userContext); },
GetEcho:function(s,succeededCallback, failedCallback, userContext) {
return this._invoke(this._get_path(), 'GetEcho',true,{s:s},succeededCallback,failedCallback,userContext); },
EchoSpot:function(p,succeededCallback, failedCallback, userContext) {
return this._invoke(this._get_path(), 'EchoSpot',false,{p:p},succeededCallback,failedCallback,userContext); }}
Lab.G.GPlain.registerClass('Lab.G.GPlain',Sys.Net.WebServiceProxy);
Lab.G.GPlain._staticInstance = new Lab.G.GPlain();
Lab.G.GPlain.set_path = function(value) { Lab.G.GPlain._staticInstance.set_path(value); }
Lab.G.GPlain.get_path = function() { return Lab.G.GPlain._staticInstance.get_path(); }
Lab.G.GPlain.set_timeout = function(value) { Lab.G.GPlain._staticInstance.set_timeout(value); }
Lab.G.GPlain.get_timeout = function() { return Lab.G.GPlain._staticInstance.get_timeout(); }
Lab.G.GPlain.set_defaultUserContext = function(value) { Lab.G.GPlain._staticInstance.set_defaultUserContext(value); }
Lab.G.GPlain.get_defaultUserContext = function() { return Lab.G.GPlain._staticInstance.get_defaultUserContext(); }
Lab.G.GPlain.set_defaultSucceededCallback = function(value) { Lab.G.GPlain._staticInstance.set_defaultSucceededCallback(value); }
Lab.G.GPlain.get_defaultSucceededCallback = function() { return Lab.G.GPlain._staticInstance.get_defaultSucceededCallback(); }
Lab.G.GPlain.set_defaultFailedCallback = function(value) { Lab.G.GPlain._staticInstance.set_defaultFailedCallback(value); }
Lab.G.GPlain.get_defaultFailedCallback = function() { return Lab.G.GPlain._staticInstance.get_defaultFailedCallback(); }
Lab.G.GPlain.set_enableJsonp = function(value) { Lab.G.GPlain._staticInstance.set_enableJsonp(value); }
Lab.G.GPlain.get_enableJsonp = function() { return Lab.G.GPlain._staticInstance.get_enableJsonp(); }
Lab.G.GPlain.set_jsonpCallbackParameter = function(value) { Lab.G.GPlain._staticInstance.set_jsonpCallbackParameter(value); }
Lab.G.GPlain.get_jsonpCallbackParameter = function() { return Lab.G.GPlain._staticInstance.get_jsonpCallbackParameter(); }
Lab.G.GPlain.set_path("/GPlain.asmx");
Lab.G.GPlain.Echo= function(s,onSuccess,onFailed,userContext) {Lab.G.GPlain._staticInstance.Echo(s,onSuccess,onFailed,userContext); }
Lab.G.GPlain.GetEcho= function(s,onSuccess,onFailed,userContext) {Lab.G.GPlain._staticInstance.GetEcho(s,onSuccess,onFailed,userContext); }
Lab.G.GPlain.EchoSpot= function(p,onSuccess,onFailed,userContext) {Lab.G.GPlain._staticInstance.EchoSpot(p,onSuccess,onFailed,userContext); }
var gtc = Sys.Net.WebServiceProxy._generateTypedConstructor;
if (typeof(Lab.G.Spot) === 'undefined') {
Lab.G.Spot=gtc("Lab.G.Spot");
Lab.G.Spot.registerClass('Lab.G.Spot');
}
