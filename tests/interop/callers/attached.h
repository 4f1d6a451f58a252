// The messages of the services Files and Scans, for soapcpp2. With the import, bytes can be in MTOM.
#import "xop.h"

//gsoap ns service name: Files
//gsoap ns service namespace: urn:example:files
//gsoap ns schema namespace: urn:example:files
//gsoap ns schema form: qualified

//gsoap sc service name: Scans
//gsoap sc service namespace: urn:example:scans
//gsoap sc schema namespace: urn:example:scans
//gsoap sc schema form: qualified

typedef char *xsd__string;

struct xsd__base64Binary { unsigned char *__ptr; int __size; char *id; char *type; char *options; };
struct ns__Folder { xsd__string ns__Name 0; struct xsd__base64Binary *ns__First 0; };
struct ns__KeepResponse { int ns__KeepResult 1; };
struct ns__EchoResponse { struct ns__Folder *ns__EchoResult 0; };
struct sc__Turned { xsd__string sc__Reference 1; struct xsd__base64Binary *sc__Data 0; };
struct sc__TurnResponse { struct sc__Turned *sc__TurnResult 1; };

//gsoap ns service method-style: Keep document
//gsoap ns service method-encoding: Keep literal
//gsoap ns service method-action: Keep "urn:example:files/Keep"
int ns__Keep(struct xsd__base64Binary *ns__data, struct ns__KeepResponse *response);

//gsoap ns service method-style: Echo document
//gsoap ns service method-encoding: Echo literal
//gsoap ns service method-action: Echo "urn:example:files/Echo"
int ns__Echo(struct ns__Folder *ns__folder, struct ns__EchoResponse *response);

//gsoap sc service method-style: Turn document
//gsoap sc service method-encoding: Turn literal
//gsoap sc service method-action: Turn "urn:example:scans/Turn"
int sc__Turn(xsd__string sc__reference, struct xsd__base64Binary *sc__data, struct sc__TurnResponse *response);
