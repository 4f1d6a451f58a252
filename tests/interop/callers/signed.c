/* gSOAP with its plugin wsse, which signs messages and checks those that it gets:
   `signed call URL BINDING FOLDER KIND` and `signed serve FOLDER`. */
#include "wsseapi.h"
#include "Work.nsmap"
#include <stdio.h>
#include <string.h>

static X509 *certificate;
static EVP_PKEY *key;
/* The path of the trusted certificate. */
static char trusted[1000];

static FILE *opened(const char *folder, const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "r");
}

/* Reads the keys, and lets the plugin check each message that arrives. */
static struct soap *checking(const char *folder, const char *own, const char *own_key, const char *other)
{
    /* Without SOAP_C_UTFSTRING, gSOAP writes and signs references such as `&#x82;`, which are not canonical. */
    struct soap *soap = soap_new1(SOAP_XML_CANONICAL | SOAP_C_UTFSTRING);
    FILE *file = opened(folder, own);
    certificate = PEM_read_X509(file, NULL, NULL, NULL);
    fclose(file);
    file = opened(folder, own_key);
    key = PEM_read_PrivateKey(file, NULL, NULL, NULL);
    fclose(file);
    snprintf(trusted, sizeof trusted, "%s/%s", folder, other);
    soap_register_plugin(soap, soap_wsse);
    soap->cafile = trusted;
    soap_wsse_verify_auto(soap, SOAP_SMD_NONE, NULL, 0);
    return soap;
}

/* Signs the Body and the header of the next message. */
static int sign(struct soap *soap, const char *kind)
{
    int algorithm = strcmp(kind, "sha1") ? SOAP_SMD_SIGN_RSA_SHA256 : SOAP_SMD_SIGN_RSA_SHA1;
    /* The Timestamp has whole seconds. Without an id of its own, two messages of one second would be the same. */
    const char *id = soap_strdup(soap, soap_rand_uuid(soap, "Time-"));
    return soap_wsse_add_Timestamp(soap, id, 300)
        || (!strcmp(kind, "data")
                ? soap_wsse_add_KeyInfo_X509Certificate(soap, certificate)
                : soap_wsse_add_BinarySecurityTokenX509(soap, "X509Token", certificate)
                    || soap_wsse_add_KeyInfo_SecurityTokenReferenceX509(soap, "#X509Token"))
        || soap_wsse_sign_body(soap, algorithm, key, 0);
}

/* Checks that the Body and the Timestamp of the last message were signed, and that its time has not passed. */
static int check(struct soap *soap)
{
    /* soap_wsse_verify_body finds no Body of SOAP 1.2 if the namespaces are those of SOAP 1.1, as they are in a server for both. */
    if (soap_wsse_verify_element(soap, namespaces[0].ns, "Body") != 1 || soap_wsse_verify_element(soap, wsu_URI, "Timestamp") != 1)
        return soap_wsse_fault(soap, wsse__FailedCheck, "a part is not signed");
    return soap_wsse_verify_Timestamp(soap);
}

int ns__Store(struct soap *soap, char *text, struct ns__StoreResponse *response)
{
    X509 *caller;
    char name[100];
    int refused = check(soap);
    if (!refused) {
        caller = soap_wsse_get_KeyInfo_SecurityTokenReferenceX509(soap);
        X509_NAME_get_text_by_NID(X509_get_subject_name(caller), NID_commonName, name, sizeof name);
        X509_free(caller);
        response->ns__StoreResult = soap_malloc(soap, strlen(name) + strlen(text) + 6);
        sprintf(response->ns__StoreResult, "CN=%s: %s", name, text);
    }
    /* Otherwise gSOAP sends the header of the request back. */
    soap_wsse_delete_Security(soap);
    return refused ? refused : sign(soap, "token");
}

static int serve(const char *folder)
{
    struct soap *soap = checking(folder, "service.pem", "service.key", "partner.pem");
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    if (!soap_valid_socket(soap_bind(soap, "127.0.0.1", 0, 100)) || getsockname(soap->master, (struct sockaddr *)&address, &size))
        return 1;
    printf("listening on http://127.0.0.1:%d\n", ntohs(address.sin_port));
    fflush(stdout);
    while (soap_valid_socket(soap_accept(soap))) {
        soap_serve(soap);
        soap_destroy(soap);
        soap_end(soap);
    }
    return 1;
}

/* KIND: `token` and `data` hold the certificate in different ways; `sha1`; `none`: not signed; `wrong-key`: signed by the key of another certificate;
   `wrong-certificate`: the certificate that is trusted is not that of the service. */
static int call(const char *url, const char *binding, const char *folder, const char *kind)
{
    const char *own_key = strcmp(kind, "wrong-key") ? "partner.key" : "service.key";
    const char *other = strcmp(kind, "wrong-certificate") ? "service.pem" : "partner.pem";
    struct soap *soap = checking(folder, "partner.pem", own_key, other);
    struct ns__StoreResponse response;
    if (!strcmp(binding, "soap12")) {
        /* What soap_set_version sets is gone when the call begins. */
        namespaces[0].ns = "http://www.w3.org/2003/05/soap-envelope";
        namespaces[1].ns = "http://www.w3.org/2003/05/soap-encoding";
    }
    if (strcmp(kind, "none") && sign(soap, kind))
        return 1;
    if (soap_call_ns__Store(soap, url, NULL, "hello \xE2\x82\xAC", &response) || check(soap)) {
        /* The status tells a fault of the service from an answer that is refused here. */
        soap_set_fault(soap);
        printf("%s %s\n", soap->status == 200 ? "error" : "fault", *soap_faultstring(soap));
        return 0;
    }
    printf("result %s\n", response.ns__StoreResult);
    return 0;
}

int main(int count, char **arguments)
{
    if (count == 3 && !strcmp(arguments[1], "serve"))
        return serve(arguments[2]);
    if (count == 6 && !strcmp(arguments[1], "call"))
        return call(arguments[2], arguments[3], arguments[4], arguments[5]);
    return 1;
}
