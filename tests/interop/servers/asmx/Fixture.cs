// The services of the fixture, as ASMX has them; the answers come from the rules' own server, whose address is in the environment (RULES).
using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Text;
using System.Web.Script.Serialization;
using System.Web.Services;

namespace Fixture
{
    static class Rules
    {
        static readonly JavaScriptSerializer Json = new JavaScriptSerializer { MaxJsonLength = int.MaxValue };

        static Rules()
        {
            ServicePointManager.Expect100Continue = false;
            ServicePointManager.UseNagleAlgorithm = false;
        }

        // Arguments are a name and a value each.
        public static T Ask<T>(string service, string operation, params object[] arguments)
        {
            var sent = new Dictionary<string, object>();
            for (var index = 0; index < arguments.Length; index += 2)
                sent[(string)arguments[index]] = Encoded(arguments[index + 1]);
            using (var client = new WebClient { Encoding = new UTF8Encoding(false), Proxy = null })
            {
                var question = Json.Serialize(new object[] { service, operation, sent });
                var told = Json.Deserialize<Dictionary<string, object>>(client.UploadString(Environment.GetEnvironmentVariable("RULES"), question));
                if (told.ContainsKey("fault"))
                    throw new InvalidOperationException((string)told["fault"]);
                return (T)Made(typeof(T), told["result"]);
            }
        }

        static object Encoded(object value)
        {
            return value is byte[] ? new Dictionary<string, object> { ["base64"] = Convert.ToBase64String((byte[])value) } : value;
        }

        static object Made(Type type, object told)
        {
            if (told == null)
                return null;
            if (type == typeof(byte[]))
                return Convert.FromBase64String((string)((Dictionary<string, object>)told)["base64"]);
            if (type.IsEnum)
                return Enum.Parse(type, (string)told);
            if (type.IsPrimitive || type == typeof(string))
                return Convert.ChangeType(told, type);
            if (type.IsArray)
            {
                var items = ((System.Collections.IEnumerable)told).Cast<object>().Select(item => Made(type.GetElementType(), item)).ToArray();
                var made = Array.CreateInstance(type.GetElementType(), items.Length);
                items.CopyTo(made, 0);
                return made;
            }
            var filled = Activator.CreateInstance(type);
            foreach (var field in (Dictionary<string, object>)told)
                type.GetField(field.Key).SetValue(filled, Made(type.GetField(field.Key).FieldType, field.Value));
            return filled;
        }
    }
}

namespace Fixture.Auth
{
    public enum LoginErrorCode
    {
        InvalidUsername, InvalidPassword, IncorrectIP, MultipleIP, LockedAccount, LogOut, TimedOut, UnknownError, LoginTokenTimedOut,
        PortalOnlyAccess, DealtrackOnlyAccess, AccountExpired, None, AccountSuspended, MissingCapability, BumpedForSML,
        MissingGoogleReCaptchaConfirmation, PerformanceTestingBlockage, ValidIDMButInvalidSvcUser, PortalLogOut, UsernameFieldEmpty,
        PasswordFieldEmpty, UsernameAndPasswordFieldEmpty, LoginRequestIsNull, LoginTypeNotDefined, LoginTypeNotHandled,
        NoMatchForDefinedProduct, NoMatchForDefinedUserAgentId, LoginInfoIsNull, RestrictedUserSession, RedirectToMI, IPLoginFail,
        IdpInvalidInteractionCode, IdpInvalidToken, IdpMissingSvcAttributes, IdpSvcAuthenticationFailed, SAMLGenericError
    }

    public class LoginResult
    {
        public LoginErrorCode ErrorCode;
        public string Message;
    }

    [WebService(Namespace = "http://example.com/svc/auth")]
    public class Authenticator : WebService
    {
        const string Service = "Authenticator";

        [WebMethod]
        public LoginResult ClientAuthWithResult(string username, string password, string macAddress, string processName)
        {
            return Rules.Ask<LoginResult>(Service, "ClientAuthWithResult", "username", username, "password", password, "macAddress", macAddress, "processName", processName);
        }

        [WebMethod]
        public bool Login(string username, string password)
        {
            return Rules.Ask<bool>(Service, "Login", "username", username, "password", password);
        }
    }
}

namespace Fixture.Device
{
    public enum LoginErrorCode
    {
        OK, Unknown, BadUsername, BadPassword, NotAuthorized, SingleMachineLogin, AccountLocked, Logout, NoCapability, AccountExpired,
        DeviceReleaseDisabled, AccountSuspended
    }

    public enum RealTimeLaunchReason { Ok, AntiCap, NoAddress, IncompleteAddress, NeedAgreement, NoCapability, NoMobileRealTimeCapability }

    public enum ForgotPasswordStatus
    {
        Success, ValidUserNoPassword, InvalidUser, FunctionalityCapabilityDenied, SuspendedAccount,
        SelfServiceFunctionalityCapabilityDenied, InactiveAccount, ReadOnlyMode, OtherIDMIssue
    }

    public class DeviceLoginResponse
    {
        public LoginErrorCode LoginErrorCode;
        public string LoginErrorMessage;
        public byte[] EncryptedPassword;
        public RealTimeInfo RealTimeInfo;
        public string EntryPointUrl;
        public string BaseUrl;
        public int QuotesDataVendorId;
        public long UserId;
        public string ClientSupportPhone;
        public string MobileSupportEmail;
        public AdditionalInfo AdditionalInfo;
    }

    public class RealTimeInfo
    {
        public string RealTimeHost;
        public int RealTimePort;
        public string RealTimeAuthHost;
        public int RealTimeAuthPort;
        public string RealTimeProtocol;
        public string RealTimeAuthProtocol;
        public AuthInfo AuthInfo;
        public RealTimeLaunchReason RealTimeLaunchReason;
        public string LaunchReasonText;
    }

    public class AuthInfo
    {
        public string Zid;
        public string Azid;
    }

    public class AdditionalInfo
    {
        public int MaxNewsHeadlinesCap;
        public int MinNewsAutoRefreshTime;
        public bool EnableIdmsMobileQuotes;
        public bool EnableSecurityProfileForIdms;
        public SearchSourceType[] NewsSearchSourceTypes;
        public int[] Capabilities;
    }

    public class SearchSourceType
    {
        public int Id;
        public string Name;
        public bool CheckedByDefault;
    }

    [WebService(Namespace = "http://example.com/svc/device")]
    public class DeviceLoginService : WebService
    {
        const string Service = "DeviceLoginService";

        [WebMethod]
        public DeviceLoginResponse Login(string username, string password, string devicePin)
        {
            return Rules.Ask<DeviceLoginResponse>(Service, "Login", "username", username, "password", password, "devicePin", devicePin);
        }

        [WebMethod]
        public DeviceLoginResponse LoginWithEncryptedPassword(string username, byte[] encryptedPassword, string devicePin, bool userInitiated)
        {
            return Rules.Ask<DeviceLoginResponse>(
                Service, "LoginWithEncryptedPassword", "username", username, "encryptedPassword", encryptedPassword, "devicePin", devicePin, "userInitiated", userInitiated);
        }

        [WebMethod] public ForgotPasswordStatus EmailPassword(string username) { return Rules.Ask<ForgotPasswordStatus>(Service, "EmailPassword", "username", username); }
        [WebMethod] public string TestConnection() { return Rules.Ask<string>(Service, "TestConnection"); }
        [WebMethod] public void Logout() { Rules.Ask<object>(Service, "Logout"); }
        [WebMethod] public void NoOp() { Rules.Ask<object>(Service, "NoOp"); }
    }
}
