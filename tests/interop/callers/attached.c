/* gSOAP in MTOM, `attached call URL BINDING LENGTH`, and with attachments, `attached turn URL BINDING LENGTH`; `attached serve` serves both. */
#include "soapH.h"
#include "Files.nsmap"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *SCAN = "application/x-scan";

static int failed(struct soap *soap)
{
    char text[1000];
    soap_sprint_fault(soap, text, sizeof text);
    printf("error %s\n", text);
    return 1;
}

static int other_bytes(void)
{
    printf("error other bytes came back\n");
    return 1;
}

static int same(struct xsd__base64Binary one, struct xsd__base64Binary other)
{
    return one.__size == other.__size && !memcmp(one.__ptr, other.__ptr, one.__size);
}

static unsigned char *reversed(struct soap *soap, const void *bytes, size_t length)
{
    unsigned char *copy = soap_malloc(soap, length + 1);
    size_t at;
    for (at = 0; at < length; at++)
        copy[at] = ((const unsigned char *)bytes)[length - 1 - at];
    return copy;
}

/* The part of the last message that a reference names. */
static struct soap_multipart *referred(struct soap *soap, const char *reference)
{
    struct soap_multipart *part = soap->mime.list;
    char id[200];
    if (strncmp(reference, "cid:", 4))
        return NULL;
    snprintf(id, sizeof id, "<%s>", reference + 4);
    while (part && (!part->id || strcmp(part->id, id)))
        part = part->next;
    return part;
}

int ns__Keep(struct soap *soap, struct xsd__base64Binary *data, struct ns__KeepResponse *response)
{
    response->ns__KeepResult = data->__size;
    return SOAP_OK;
}

int ns__Echo(struct soap *soap, struct ns__Folder *folder, struct ns__EchoResponse *response)
{
    response->ns__EchoResult = folder;
    return SOAP_OK;
}

/* Answers the bytes of a part in the other order as another part, beside the data. */
int sc__Turn(struct soap *soap, char *reference, struct xsd__base64Binary *data, struct sc__TurnResponse *response)
{
    struct soap_multipart *part = referred(soap, reference);
    if (!part)
        return soap_sender_fault(soap, "no part has this reference", NULL);
    response->sc__TurnResult = soap_malloc(soap, sizeof(struct sc__Turned));
    response->sc__TurnResult->sc__Reference = "cid:turned@gsoap";
    response->sc__TurnResult->sc__Data = data;
    soap_set_mime(soap, NULL, NULL);
    return soap_set_mime_attachment(soap, (char *)reversed(soap, part->ptr, part->size), part->size, SOAP_MIME_BINARY, SCAN, "<turned@gsoap>", NULL, NULL);
}

static int serve(void)
{
    struct soap *soap = soap_new1(SOAP_ENC_MTOM);
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

static int call(const char *url, struct xsd__base64Binary data)
{
    struct soap *soap = soap_new1(SOAP_ENC_MTOM);
    struct ns__Folder folder = {NULL, &data};
    struct ns__KeepResponse kept;
    struct ns__EchoResponse echoed;

    data.type = "application/octet-stream";
    if (soap_call_ns__Keep(soap, url, NULL, &data, &kept))
        return failed(soap);
    printf("result kept %d\n", kept.ns__KeepResult);
    data.id = NULL;
    if (soap_call_ns__Echo(soap, url, NULL, &folder, &echoed))
        return failed(soap);
    if (!same(*echoed.ns__EchoResult->ns__First, data))
        return other_bytes();
    printf("result echoed\n");
    return 0;
}

static int turn(const char *url, struct xsd__base64Binary scan)
{
    struct soap *soap = soap_new();
    struct xsd__base64Binary data = {(unsigned char *)"\1\2\3", 3};
    struct sc__TurnResponse response;
    struct sc__Turned *turned;
    struct soap_multipart *part;

    soap_set_mime(soap, NULL, NULL);
    if (soap_set_mime_attachment(soap, "other", 5, SOAP_MIME_BINARY, SCAN, "<other@gsoap>", NULL, NULL)
        || soap_set_mime_attachment(soap, (char *)scan.__ptr, scan.__size, SOAP_MIME_BINARY, SCAN, "<scan@gsoap>", NULL, NULL)
        || soap_call_sc__Turn(soap, url, NULL, "cid:scan@gsoap", &data, &response))
        return failed(soap);
    turned = response.sc__TurnResult;
    part = referred(soap, turned->sc__Reference);
    /* The first of the list is the message. */
    if (!part || part != soap->mime.list->next || part->next || strcmp(part->type, SCAN)
        || !same(*turned->sc__Data, data) || part->size != (size_t)scan.__size || memcmp(reversed(soap, part->ptr, part->size), scan.__ptr, part->size))
        return other_bytes();
    printf("result turned %d\n", scan.__size);
    return 0;
}

int main(int count, char **arguments)
{
    struct xsd__base64Binary bytes = {NULL};
    int at;

    if (count == 2 && !strcmp(arguments[1], "serve"))
        return serve();
    if (count != 5)
        return 1;
    bytes.__size = atoi(arguments[4]);
    bytes.__ptr = malloc(bytes.__size + 1);
    for (at = 0; at < bytes.__size; at++)
        bytes.__ptr[at] = at * 7 % 251;
    if (!strcmp(arguments[3], "soap12")) {
        /* What soap_set_version sets is gone when the call begins. */
        namespaces[0].ns = "http://www.w3.org/2003/05/soap-envelope";
        namespaces[1].ns = "http://www.w3.org/2003/05/soap-encoding";
    }
    return strcmp(arguments[1], "turn") ? call(arguments[2], bytes) : turn(arguments[2], bytes);
}
