//! Names of secrets, in the languages in which services are written.

use heck::ToSnakeCase;

/// Names of passwords, tokens, keys and card data, as words in lower case. A name is that of a
/// secret if it contains these words in sequence.
const SECRETS: &[&str] = &[
    "access key",
    "api key",
    "apikey",
    "card number",
    "credit card",
    "creditcard",
    "cvc",
    "cvv",
    "otp",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "pin",
    "private key",
    "pwd",
    "secret",
    "token",
    // Czech and Slovak, Danish, Dutch, Finnish.
    "heslo",
    "adgangskode",
    "wachtwoord",
    "salasana",
    // French.
    "mdp",
    "mot de passe",
    "mot passe",
    "motdepasse",
    "motpasse",
    // German.
    "geheimzahl",
    "kennwort",
    "passwort",
    // Hungarian, Italian, Norwegian, Polish, Portuguese.
    "jelszo",
    "jelszó",
    "parola",
    "passord",
    "haslo",
    "hasło",
    "senha",
    // Russian.
    "пароль",
    // Slovene, Croatian and Serbian.
    "geslo",
    "lozinka",
    // Spanish.
    "clave",
    "contrasena",
    "contraseña",
    "contrasenya",
    // Swedish, Turkish.
    "losenord",
    "lösenord",
    "sifre",
    "şifre",
    // Chinese, Japanese, Korean.
    "密码",
    "密碼",
    "パスワード",
    "비밀번호",
];

/// Whether a name has the words of a secret: `userPassword`, `API_KEY`, `Pwd2`; not `spinner`.
pub fn is_named_like_a_secret(name: &str) -> bool {
    // Digits belong to no word: `cvv2`, `2ndPassword`.
    let name = name.replace(|c: char| c.is_numeric(), "_");
    let name = name.to_snake_case();
    let words: Vec<_> = name.split('_').collect();
    SECRETS.iter().any(|secret| {
        let secret: Vec<_> = secret.split(' ').collect();
        words.windows(secret.len()).any(|some| *some == *secret)
    })
}

#[cfg(test)]
mod tests {
    use super::is_named_like_a_secret;

    #[test]
    fn names_of_secrets_are_known_in_many_languages_and_spellings() {
        for name in [
            "password",
            "userPassword",
            "PASSWORD",
            "old_pwd",
            "Password2",
            "pwd1",
            "2ndPassword",
            "senha",
            "SenhaAtual",
            "clave",
            "claveAcceso",
            "contraseña",
            "nuevaContraseña",
            "wachtwoord",
            "motDePasse",
            "MOT_DE_PASSE",
            "Kennwort",
            "benutzerKennwort",
            "token",
            "accessToken",
            "apiKey",
            "APIKey",
            "api_key",
            "ApiKey2",
            "pin",
            "PIN",
            "userPIN",
            "PINCode",
            "cvv",
            "CVV2",
            "cardNumber",
            "CreditCardNumber",
            "card-number",
            "clientSecret",
            "пароль",
            "密码",
        ] {
            assert!(is_named_like_a_secret(name), "{name}");
        }
        for name in [
            "spinner",
            "pinned",
            "enclave",
            "clavecin",
            "tokenizer",
            "secretary",
            "number",
            "card",
            "discardNumber",
            "key",
            "api",
            "apiVersion",
            "passport",
            "passenger",
            "mot",
            "compass",
            "motDeBienvenue",
            "Opinion",
        ] {
            assert!(!is_named_like_a_secret(name), "{name}");
        }
    }
}
