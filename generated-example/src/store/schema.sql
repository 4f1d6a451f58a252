-- The account store, version 3. Moments are seconds since 1970-01-01 UTC.
-- The file is SQLite's; PostgreSQL gets BIGINT for INTEGER and BYTEA for BLOB (making.rs).
-- Read one with: SELECT datetime(locked_until, 'unixepoch') FROM accounts;

CREATE TABLE accounts (
    id                    INTEGER PRIMARY KEY,  -- UserId of the device login
    username              TEXT NOT NULL UNIQUE COLLATE NOCASE,
    password_hash         TEXT,                 -- argon2id, PHC string; NULL: signs in elsewhere
    email                 TEXT,
    standing              TEXT NOT NULL DEFAULT 'active'
                          CHECK (standing IN ('active', 'suspended', 'inactive')),
    access                TEXT NOT NULL DEFAULT 'full'
                          CHECK (access IN ('full', 'portal-only', 'dealtrack-only', 'restricted')),
    machines_allowed      TEXT NOT NULL DEFAULT 'any'
                          CHECK (machines_allowed IN ('any', 'one', 'no-devices')),
    address_allowed       TEXT,                 -- the one IP address to sign in from; NULL: any
    read_only             INTEGER NOT NULL DEFAULT 0 CHECK (read_only IN (0, 1)),
    expires_at            INTEGER,              -- NULL: never
    failures              INTEGER NOT NULL DEFAULT 0,
    locked_until          INTEGER,              -- NULL: not locked
    agreement_signed      INTEGER NOT NULL DEFAULT 1 CHECK (agreement_signed IN (0, 1)),
    street                TEXT,
    city                  TEXT,
    quotes_data_vendor_id INTEGER NOT NULL DEFAULT 7,
    idms_mobile_quotes    INTEGER NOT NULL DEFAULT 1 CHECK (idms_mobile_quotes IN (0, 1)),
    idms_security_profile INTEGER NOT NULL DEFAULT 0 CHECK (idms_security_profile IN (0, 1)),
    last_login_at         INTEGER,
    last_user_login_at    INTEGER               -- without the logins a device made on its own
) STRICT;

-- Stands in for users who do not exist, so that their attempts cost what those of others cost: nobody can sign in without a name.
INSERT INTO accounts (id, username) VALUES (0, '');

CREATE TABLE capabilities (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE account_capabilities (
    account_id    INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    capability_id INTEGER NOT NULL REFERENCES capabilities,
    PRIMARY KEY (account_id, capability_id)
) STRICT, WITHOUT ROWID;

-- Wrong passwords that came from an address; forgotten from ends_at on.
CREATE TABLE address_failures (
    address  TEXT PRIMARY KEY,                  -- of IPv6 that of its network (/64)
    failures INTEGER NOT NULL,
    ends_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The machine of each account that may use only one.
CREATE TABLE machines (
    account_id    INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    kind          TEXT NOT NULL CHECK (kind IN ('device', 'computer')),
    fingerprint   BLOB NOT NULL,                -- keyed hash of devicePin or macAddress
    first_seen_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, kind)
) STRICT, WITHOUT ROWID;

-- What EncryptedPassword stands for: one token an account and device.
CREATE TABLE login_tokens (
    account_id  INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    device      BLOB NOT NULL,                  -- keyed hash of devicePin
    fingerprint BLOB NOT NULL,                  -- keyed hash of the token and the account's password hash
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    PRIMARY KEY (account_id, device)
) STRICT, WITHOUT ROWID;

-- What EmailPassword handed out: one reset an account, good for one use.
CREATE TABLE password_resets (
    account_id  INTEGER PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
    fingerprint BLOB NOT NULL,                  -- keyed hash of the token in the mail
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL
) STRICT;

-- Mail that waits to be sent.
CREATE TABLE outbox (
    id         INTEGER PRIMARY KEY,
    recipient  TEXT NOT NULL,
    subject    TEXT NOT NULL,
    body       TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- The states of sessions; over from ends_at on.
CREATE TABLE sessions (
    fingerprint BLOB PRIMARY KEY,               -- keyed hash of the id in the cookie
    state       TEXT NOT NULL,
    ends_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_end ON sessions (ends_at);

CREATE TABLE news_sources (
    id                 INTEGER PRIMARY KEY,
    name               TEXT NOT NULL,
    checked_by_default INTEGER NOT NULL CHECK (checked_by_default IN (0, 1))
) STRICT;

-- What every device is told; exactly one row.
CREATE TABLE configuration (
    id                         INTEGER PRIMARY KEY CHECK (id = 1),
    fingerprint_key            BLOB NOT NULL,   -- key of all fingerprints in this file
    portal_url                 TEXT NOT NULL,   -- where a password is reset
    real_time_host             TEXT NOT NULL,
    real_time_port             INTEGER NOT NULL,
    real_time_protocol         TEXT NOT NULL,
    real_time_auth_host        TEXT NOT NULL,
    real_time_auth_port        INTEGER NOT NULL,
    real_time_auth_protocol    TEXT NOT NULL,
    entry_point_url            TEXT NOT NULL,
    base_url                   TEXT NOT NULL,
    client_support_phone       TEXT NOT NULL,
    mobile_support_email       TEXT NOT NULL,
    max_news_headlines         INTEGER NOT NULL,
    min_news_auto_refresh_time INTEGER NOT NULL  -- seconds
) STRICT;
