// The operation Store of the service Work, with the header of WS-Security, for soapcpp2.
#import "wsse.h"

//gsoap ns service name: Work
//gsoap ns service namespace: urn:example:work
//gsoap ns schema namespace: urn:example:work
//gsoap ns schema form: qualified

typedef char *xsd__string;

struct ns__StoreResponse { xsd__string ns__StoreResult 0; };

//gsoap ns service method-style: Store document
//gsoap ns service method-encoding: Store literal
//gsoap ns service method-action: Store "urn:example:work/Store"
int ns__Store(xsd__string ns__text, struct ns__StoreResponse *response);
