/* gSOAP in MTOM: `attached URL BINDING LENGTH`. */
#include "soapH.h"
#include "Files.nsmap"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failed(struct soap *soap)
{
    char text[1000];
    soap_sprint_fault(soap, text, sizeof text);
    printf("error %s\n", text);
    return 1;
}

int main(int count, char **arguments)
{
    struct soap *soap = soap_new1(SOAP_ENC_MTOM);
    if (count != 4)
        return 1;
    size_t length = strtoul(arguments[3], NULL, 10);
    unsigned char *bytes = malloc(length + 1);
    struct ns__Bytes data;
    struct ns__Folder folder;
    struct ns__KeepResponse kept;
    struct ns__EchoResponse echoed;
    size_t at;

    for (at = 0; at < length; at++)
        bytes[at] = at * 7 % 251;
    if (!strcmp(arguments[2], "soap12")) {
        /* What soap_set_version sets is gone when the call begins. */
        namespaces[0].ns = "http://www.w3.org/2003/05/soap-envelope";
        namespaces[1].ns = "http://www.w3.org/2003/05/soap-encoding";
    }
    memset(&data, 0, sizeof data);
    data.xop__Include.__ptr = bytes;
    data.xop__Include.__size = length;
    data.xop__Include.type = "application/octet-stream";
    if (soap_call_ns__Keep(soap, arguments[1], NULL, &data, &kept))
        return failed(soap);
    printf("result kept %d\n", kept.ns__KeepResult);
    memset(&folder, 0, sizeof folder);
    folder.ns__First = &data;
    data.xop__Include.id = NULL;
    if (soap_call_ns__Echo(soap, arguments[1], NULL, &folder, &echoed))
        return failed(soap);
    data = *echoed.ns__EchoResult->ns__First;
    if ((size_t)data.xop__Include.__size != length || memcmp(data.xop__Include.__ptr, bytes, length))
        return printf("error other bytes came back\n"), 1;
    printf("result echoed\n");
    return 0;
}
