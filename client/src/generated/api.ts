// Generated from the server by `npm run generate`: do not edit.

export interface paths {
    "/users/{id}/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a user’s avatar
         * @description PNG, JPEG, WebP, GIF or AVIF by content, at most 5 MiB and 40 megapixels. It is turned upright, cropped to a square and re-encoded without its metadata. Needs the permission `users.manage`.
         */
        post: operations["uploadAvatar"];
        /**
         * Bring a user’s default avatar back
         * @description Needs the permission `users.manage`.
         */
        delete: operations["removeAvatar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/avatar/external": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a user’s avatar to a picture elsewhere
         * @description The address is stored as it is; the server never fetches it. Needs the permission `users.manage`.
         */
        put: operations["setExternalAvatar"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/avatar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload your avatar
         * @description PNG, JPEG, WebP, GIF or AVIF by content, at most 5 MiB and 40 megapixels. It is turned upright, cropped to a square and re-encoded without its metadata. Needs any valid credential.
         */
        post: operations["uploadMyAvatar"];
        /**
         * Bring your default avatar back
         * @description Needs any valid credential.
         */
        delete: operations["removeMyAvatar"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/avatar/external": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set your avatar to a picture elsewhere
         * @description The address is stored as it is; the server never fetches it. Needs any valid credential.
         */
        put: operations["setMyExternalAvatar"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Paginate users
         * @description Needs the permission `users.manage`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description The new account is Active at once. Needs the permission `users.manage`.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user
         * @description Needs the permission `users.manage`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Delete a user
         * @description Needs the permission `users.manage`.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Update a user
         * @description Fields that are not sent stay unchanged. A ban permanently revokes all of the user’s keys. On your own account a new password, email address or username needs `current_password`, and a new address takes effect when the link sent to it is opened. Needs the permission `users.manage`.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/users/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite a user by email
         * @description The account is Unconfirmed and has no password until its owner opens the link, which works once and within 72 hours. Needs the permission `users.manage`.
         */
        post: operations["inviteUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/invite": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send another invitation
         * @description The link of the earlier one is void. At most one a minute is sent; beyond it the answer is 429. Needs the permission `users.manage`.
         */
        post: operations["sendInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a password reset email
         * @description At most one a minute is sent; beyond it the answer is 429. Needs the permission `users.manage`.
         */
        post: operations["sendPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/email-confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the confirmation email again
         * @description At most one a minute is sent; beyond it the answer is 429. Needs the permission `users.manage`.
         */
        post: operations["sendEmailConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show whose invitation a token is
         * @description The token stays valid, so that a page can show the address and ask before it accepts. Needs no credential.
         */
        post: operations["previewInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Sets the password, and a username if one is sent. The account is then Active. Needs no credential.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import users from a file
         * @description CSV with a header line, or a JSON object on each line; UTF-8, at most 4 GiB. The answer is a job: GET /jobs/{id} says how far it is, GET /jobs/{id}/errors what is wrong with which line. The rules are those of POST /users. Needs the permission `users.manage`.
         */
        post: operations["importUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export users as a file
         * @description All users who match the filters of GET /users, in the order of its sorts: one consistent state, streamed. CSV is safe to open in a spreadsheet. Importing an export changes nothing. Needs the permission `users.manage`.
         */
        get: operations["exportUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Do something to many users
         * @description To all who match a filter, or to those with these ids. The answer is a job. You, users above you and the last administrator are left out and counted as skipped. Needs the permission `users.manage`.
         */
        post: operations["changeManyUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a bulk action back
         * @description Of ban, activate and set_role, for users whom nobody has changed since. Who had a role that was deleted since keeps the present one and counts as failed. The answer is a new job. Needs the permission `users.manage`.
         */
        post: operations["undoJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Needs the permission `users.activity`.
         */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activity/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit log
         * @description Streams the log, oldest first, as NDJSON or with `format=csv` as CSV, with the filters of the list. `hash` is the hex SHA-256 of the previous row’s hash (64 zeros before the first), a line feed, and the row’s NDJSON without `hash`, `ip_address` and `user_agent`. Rows that still count follow when their minute is over. Needs the permission `users.activity`.
         */
        get: operations["exportActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's activity
         * @description What the user did and what was done to their account. Needs the permission `users.activity`.
         */
        get: operations["listUserActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List roles
         * @description Needs the permission `roles.manage` or `users.manage`.
         */
        get: operations["listRoles"];
        put?: never;
        /**
         * Create a role
         * @description A new role has no permissions. Needs the permission `roles.manage`.
         */
        post: operations["createRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/roles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a role
         * @description Needs the permission `roles.manage` or `users.manage`.
         */
        get: operations["getRole"];
        put?: never;
        post?: never;
        /**
         * Delete a role
         * @description Its users get the default role `User`. So do those who register from now on, if it was theirs; a `User` with administrator permissions is refused then. Needs the permission `roles.manage`.
         */
        delete: operations["deleteRole"];
        options?: never;
        head?: never;
        /**
         * Update a role
         * @description Needs the permission `roles.manage`.
         */
        patch: operations["updateRole"];
        trace?: never;
    };
    "/roles/{id}/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a role's permissions
         * @description Needs the permission `roles.manage` or `users.manage`.
         */
        get: operations["getRolePermissions"];
        /**
         * Set a role's permissions
         * @description Replaces the role’s permissions from the next request on. Needs the permission `roles.manage`.
         */
        put: operations["setRolePermissions"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List permissions
         * @description Needs the permission `permissions.manage` or `roles.manage`.
         */
        get: operations["listPermissions"];
        put?: never;
        /**
         * Create a permission of your own
         * @description Needs the permission `permissions.manage`.
         */
        post: operations["createPermission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/permissions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a permission
         * @description Needs the permission `permissions.manage` or `roles.manage`.
         */
        get: operations["getPermission"];
        put?: never;
        post?: never;
        /**
         * Delete a permission
         * @description It is removed from all roles. Needs the permission `permissions.manage`.
         */
        delete: operations["deletePermission"];
        options?: never;
        head?: never;
        /**
         * Update a permission
         * @description Needs the permission `permissions.manage`.
         */
        patch: operations["updatePermission"];
        trace?: never;
    };
    "/countries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every country of ISO 3166-1
         * @description Returns all of them, ordered by name. Needs any valid credential.
         */
        get: operations["listCountries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Lists the keys of all users; the secrets are never shown again. Needs the permission `api-keys.manage`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Issue an API key for yourself
         * @description Only this answer contains the key: copy it. Needs the permission `api-keys.manage`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Needs the permission `api-keys.manage`.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description From the next request on, the key is answered with 401. Needs the permission `api-keys.manage`.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        /**
         * Change the name, expiry or scope of an API key
         * @description Needs the permission `api-keys.manage`.
         */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of your API key
         * @description The old secret stops working at once. Only this answer contains the new one. An expired key is 422. Needs the permission `api-keys.manage`.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Needs no credential.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/2fa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish signing in with a second factor
         * @description With a code of the app, of the SMS, or a recovery code; or with a passkey. Five wrong answers end the challenge. Needs no credential.
         */
        post: operations["signInWithCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/2fa/sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a code by SMS for the second step
         * @description It replaces the code before. Needs no credential.
         */
        post: operations["sendSignInCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start to sign in with a passkey
         * @description The same for everybody: no account is named before it answers. Needs no credential.
         */
        post: operations["startPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description A passkey is both factors. Needs no credential.
         */
        post: operations["signInWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out
         * @description Needs any valid credential.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's sessions
         * @description Lists the live sessions, newest activity first. Needs the permission `users.manage`.
         */
        get: operations["listUserSessions"];
        put?: never;
        post?: never;
        /**
         * End all of a user's sessions
         * @description Needs the permission `users.manage`.
         */
        delete: operations["endUserSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a session
         * @description Your own session, or with `users.manage` any session. Needs any valid credential.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        /**
         * End a session
         * @description Your own session, or with `users.manage` any session. Needs any valid credential.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get all settings
         * @description Needs the permission `settings.auth` or `settings.general`.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change settings
         * @description Send any subset. Changes take effect at the next request, on every node. Needs the permission `settings.auth`.
         */
        patch: operations["updateSettings"];
        trace?: never;
    };
    "/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List mail and SMS
         * @description Messages that were sent, are queued, failed, or were captured because no server is configured. If a message contains a link or code, its text is shown only if it is captured (or waits to be) and you hold every permission of its recipient. Needs the permission `deliveries.view`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a mail or SMS
         * @description Needs the permission `deliveries.view`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview a mail
         * @description The mail’s HTML as a page without scripts that loads nothing, to be framed by a page of the same origin; a mail without HTML is shown as text. 404 for an SMS, and if the text is not available. Needs the permission `deliveries.view`.
         */
        get: operations["previewDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test mail to yourself
         * @description It goes to the address of your account through the configured mail server; the delivery tells whether that took it. Needs the permission `settings.notifications`.
         */
        post: operations["sendTestMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a message at once
         * @description For a failed message whose text is still stored, or a queued one; 422 for any other. Needs the permission `deliveries.view`.
         */
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current user
         * @description Needs any valid credential.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the permissions of the credential
         * @description Sorted names of permissions: those of your role, limited by the API key’s scope. Needs any valid credential.
         */
        get: operations["getMyPermissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your page preferences
         * @description Needs any valid credential.
         */
        get: operations["getMyPreferences"];
        /**
         * Set your page preferences
         * @description Replaces all preferences; at most 16 KiB. Needs any valid credential.
         */
        put: operations["setMyPreferences"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your profile
         * @description Needs any valid credential.
         */
        patch: operations["updateMyDetails"];
        trace?: never;
    };
    "/me/details/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your email address, username or password
         * @description A new email address takes effect when the link sent to it is opened. Needs any valid credential.
         */
        patch: operations["updateMySignIn"];
        trace?: never;
    };
    "/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Needs any valid credential.
         */
        get: operations["listMySessions"];
        put?: never;
        post?: never;
        /**
         * End all of your sessions
         * @description Needs any valid credential.
         */
        delete: operations["endMySessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the name of this installation and its enabled features
         * @description Needs no credential.
         */
        get: operations["getMeta"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the numbers for a dashboard
         * @description Needs the permission `users.manage`.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs
         * @description Long work that runs in the background, the newest first. Jobs are kept for 90 days after their end. Needs the permission `users.manage`.
         */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a job
         * @description Needs the permission `users.manage`.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /**
         * Cancel a job
         * @description What it has done stays. Needs the permission `users.manage`.
         */
        delete: operations["cancelJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the errors of a job
         * @description With `Accept: text/csv` all that match as a file, without pages. Needs the permission `users.manage`.
         */
        get: operations["listJobErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Receive changes as they happen
         * @description With `Accept: text/event-stream` a stream of Server-Sent Events, which ends with `signed_out` when the credential does; with `Accept: application/json` what happened since `Last-Event-ID`. Each event is a hint to ask again for what one shows. Needs any valid credential.
         */
        get: operations["streamMyEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the feed of events
         * @description Every event once, in one order that is the same for every reader, up to 100 at a time, from the oldest that is kept. An event appears within a second after its change; failed sign-ins when their minute is over. Needs the permission `events.read`.
         */
        get: operations["readEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Needs the permission `webhooks.manage`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description It gets what happens from now on, as Standard Webhooks 1.0. Only this answer contains the secret: copy it. Needs the permission `webhooks.manage`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description Needs the permission `webhooks.manage`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Needs the permission `webhooks.manage`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook, or switch it on or off
         * @description Needs the permission `webhooks.manage`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook
         * @description For 24 hours both secrets sign. Only this answer contains the new one. Needs the permission `webhooks.manage`.
         */
        post: operations["rotateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message
         * @description Sends `webhook.tested`, whatever the patterns are. Needs the permission `webhooks.manage`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts to send to a webhook
         * @description Those of the last 30 days, the newest first. Needs the permission `webhooks.manage`.
         */
        get: operations["listWebhookAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/attempts/{attempt}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an attempt with its request
         * @description Needs the permission `webhooks.manage`.
         */
        get: operations["getWebhookAttempt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/attempts/{attempt}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the message of an attempt again
         * @description Needs the permission `webhooks.manage`.
         */
        post: operations["retryWebhookAttempt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send what happened in a time again
         * @description Everything that matches, whether it was sent or not, each with its old `webhook-id`. Needs the permission `webhooks.manage`.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register an account
         * @description GET /meta says which other fields are required. Needs no credential.
         */
        post: operations["registerAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an email address
         * @description With the token from the email, which works once and within 24 hours, and the password of the account. After five wrong passwords the token is void. Needs no credential.
         */
        post: operations["confirmEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email/verify/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the address that a token would confirm
         * @description The token stays valid, so that a page can show the address and ask before it confirms. Needs no credential.
         */
        post: operations["previewEmailConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/email/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the confirmation email again
         * @description The answer is the same for any address. At most one email a minute is sent. Needs no credential.
         */
        post: operations["resendEmailConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/password/remind": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a reset email
         * @description The answer is the same whether or not the address has an account. At most one email a minute is sent. Needs no credential.
         */
        post: operations["remindPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password with the token from the email
         * @description The token works once, within 60 minutes. All sessions of the user end, and API keys unless `revoke_keys` is false. Needs no credential.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/password/reset/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See how many API keys a reset would revoke
         * @description The token stays valid, so that a page can show the number and ask first. Needs no credential.
         */
        post: operations["previewPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/2fa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Send a code to a user's phone, to turn two-factor authentication on
         * @description The number is pending until the code from the SMS is verified, within five minutes. On your own account it needs `current_password`. Errors that concern no field are 422 with only a message and a code. Needs the permission `users.manage`.
         */
        put: operations["enableTwoFactor"];
        post?: never;
        /**
         * Turn a user's two-factor authentication off
         * @description Also discards a pending number. The user is notified by mail. 422 if it is off. On your own account it needs `current_password`. Needs the permission `users.manage`.
         */
        delete: operations["disableTwoFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/2fa/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn two-factor authentication on with the code from the SMS
         * @description Errors that concern no field are 422 with only a message and a code. Needs the permission `users.manage`.
         */
        post: operations["verifyTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/2fa/countries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the countries that codes by SMS can go to
         * @description Ordered by name. Empty if no SMS service is configured. Needs any valid credential.
         */
        get: operations["listSmsCountries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/2fa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Send a code to your phone, to turn two-factor authentication on
         * @description Needs your current password. The number is pending until the code from the SMS is verified, within five minutes. Errors that concern no field are 422 with only a message and a code. Needs any valid credential.
         */
        put: operations["enableMyTwoFactor"];
        post?: never;
        /**
         * Turn your two-factor authentication off
         * @description Needs your current password. Also discards a pending number. 422 if it is off. Needs any valid credential.
         */
        delete: operations["disableMyTwoFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/2fa/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn your two-factor authentication on with the code from the SMS
         * @description The first factor answers with `recovery_codes`, once. Errors that concern no field are 422 with only a message and a code. Needs any valid credential.
         */
        post: operations["verifyMyTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your second factors
         * @description Needs any valid credential.
         */
        get: operations["listMyFactors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/factors/{factor}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove one of your second factors
         * @description Needs your current password, if you have one. With the last one, your recovery codes are void. Needs any valid credential.
         */
        delete: operations["removeMyFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/factors/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start to add an authenticator app
         * @description Needs your current password, if you have one. The app counts once a code of it was verified. Needs any valid credential.
         */
        post: operations["createMyTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/factors/totp/{factor}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Turn an authenticator app on with a code of it
         * @description The first factor answers with `recovery_codes`, once. Needs any valid credential.
         */
        post: operations["verifyMyTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/factors/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start to add a passkey
         * @description Needs your current password, if you have one. Needs any valid credential.
         */
        post: operations["startMyPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/factors/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add the passkey that the browser made
         * @description The first factor answers with `recovery_codes`, once. Needs any valid credential.
         */
        post: operations["createMyPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make ten new recovery codes
         * @description Needs your current password, if you have one. The old codes are void. Needs any valid credential.
         */
        post: operations["renewMyRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's second factors
         * @description Needs the permission `users.manage`.
         */
        get: operations["listFactors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/factors/{factor}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove one of a user's second factors
         * @description The user is notified by mail. On your own account it needs `current_password`. Needs the permission `users.manage`.
         */
        delete: operations["removeFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/reauthenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prove again that it is you
         * @description For what answers 403 `reauthentication_required`: within the next 15 minutes this session may do it. Send `current_password`, with `token` where a second factor is on; or `challenge` and `credential` for a passkey. Needs any valid credential.
         */
        post: operations["reauthenticateMe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/reauthenticate/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start to prove it with a passkey
         * @description Needs any valid credential.
         */
        post: operations["startReauthentication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/reauthenticate/sms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a code by SMS, to prove it with
         * @description Send the challenge together with the code. Needs any valid credential.
         */
        post: operations["sendReauthenticationCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/secure-account/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what the link of a security mail would do
         * @description Needs no credential.
         */
        post: operations["previewSecureAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/secure-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an account back with the link of a security mail
         * @description Ends all sessions, revokes the API keys of the last seven days, voids pending changes and the password, takes a change of address back, and sends a password reset. The link works once, within 72 hours. Needs no credential.
         */
        post: operations["secureAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sign-ins, good and failed
         * @description Kept for `sign_ins.retention_days`, 90 unless set otherwise. Needs any valid credential.
         */
        get: operations["listMySignIns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/{id}/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's sign-ins, good and failed
         * @description Kept for `sign_ins.retention_days`, 90 unless set otherwise. Needs the permission `users.activity`.
         */
        get: operations["listUserSignIns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/announcements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Paginate announcements
         * @description Needs any valid credential.
         */
        get: operations["listAnnouncements"];
        put?: never;
        /**
         * Create an announcement
         * @description Needs the permission `announcements.manage`.
         */
        post: operations["createAnnouncement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/announcements/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a body
         * @description Exactly what would be stored as `parsed_body`; nothing is stored. Needs the permission `announcements.manage`.
         */
        post: operations["previewAnnouncement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/announcements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an announcement
         * @description Needs any valid credential.
         */
        get: operations["getAnnouncement"];
        put?: never;
        post?: never;
        /**
         * Delete an announcement
         * @description Unsent mails are cancelled. Needs the permission `announcements.manage`.
         */
        delete: operations["deleteAnnouncement"];
        options?: never;
        head?: never;
        /**
         * Update an announcement
         * @description Fields that are not sent stay unchanged. Nobody is mailed again. Needs the permission `announcements.manage`.
         */
        patch: operations["updateAnnouncement"];
        trace?: never;
    };
    "/announcements/recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the users who would be mailed
         * @description Needs the permission `announcements.manage`.
         */
        get: operations["getAnnouncementRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/announcements/{id}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the progress of the mails of an announcement
         * @description 404 if none were requested. Needs the permission `announcements.manage`.
         */
        get: operations["getAnnouncementNotifications"];
        put?: never;
        /**
         * Mail an announcement to every active user
         * @description Once for each announcement; 422 if it has been mailed before, even if that was cancelled. Needs the permission `announcements.manage`.
         */
        post: operations["startAnnouncementNotifications"];
        /**
         * Stop mailing an announcement
         * @description Unsent mails are cancelled. If all have been sent, nothing changes. Needs the permission `announcements.manage`.
         */
        delete: operations["cancelAnnouncementNotifications"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/announcements/unsubscribe/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The page behind the link in mails
         * @description A page with a button. Opening it changes nothing. Needs no credential.
         */
        get: operations["showUnsubscribePage"];
        put?: never;
        /**
         * Unsubscribe from announcements by mail
         * @description Called by mail programs for one-click unsubscription (RFC 8058), and by the button of the page. The token is the credential. Needs no credential.
         */
        post: operations["unsubscribeByLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/announcements/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the caller gets announcements by mail
         * @description Needs any valid credential.
         */
        get: operations["getAnnouncementSubscription"];
        /**
         * Choose whether to get announcements by mail
         * @description Needs any valid credential.
         */
        put: operations["setAnnouncementSubscription"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/announcements/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark announcements as read
         * @description Only for the caller. For a new account, everything published before it counts as read. Needs any valid credential.
         */
        post: operations["readAnnouncements"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Success: {
            /**
             * @description Always true.
             * @example true
             */
            success: boolean;
        };
        ApiError: {
            /** @example Resource not found. */
            message: string;
            /**
             * @description Stable and machine-readable; listed in docs/errors.md.
             * @example not_found
             */
            code: string;
            /**
             * @description With bulk_count_changed: how many match now.
             * @example 45209
             */
            count?: number;
        };
        ValidationError: {
            /** @example The given data was invalid. */
            message: string;
            /** @example validation_failed */
            code: string;
            /**
             * @description Every failing field with its error messages.
             * @example {
             *       "email": [
             *         "The email field is required."
             *       ]
             *     }
             */
            errors: {
                [key: string]: string[];
            };
        };
        ListLinks: {
            /** @example https://users.example.com/api/users?page=1 */
            first: string;
            /**
             * @description Null with a cursor.
             * @example https://users.example.com/api/users?page=3
             */
            last: string | null;
            /** @example https://users.example.com/api/users?page=1 */
            prev: string | null;
            /** @example https://users.example.com/api/users?page=3 */
            next: string | null;
        };
        ListMeta: {
            /**
             * @description Null with a cursor, like from, last_page and to.
             * @example 2
             */
            current_page: number | null;
            /** @example 21 */
            from: number | null;
            /** @example 3 */
            last_page: number | null;
            /** @example https://users.example.com/api/users */
            path: string;
            /** @example 20 */
            per_page: number;
            /** @example 40 */
            to: number | null;
            /**
             * @description The exact number of objects that match the filter.
             * @example 57
             */
            total: number;
            /**
             * @description Null on the last page.
             * @example WyJmb3J3YXJkIiw0MF0.nT1nFhY4mB0c3vQe
             */
            next_cursor: string | null;
            /**
             * @description Null on the first page.
             * @example WyJmb3J3YXJkIiw0MF0.nT1nFhY4mB0c3vQe
             */
            prev_cursor: string | null;
        };
        Activity: {
            /** @example 17 */
            id: number;
            event: components["schemas"]["EventName"];
            /**
             * @description The user who did it; null for the command line and the system.
             * @example 1
             */
            actor_id: number | null;
            /**
             * @description The API key that they used.
             * @example 1
             */
            api_key_id: number | null;
            /**
             * @description The subject of the event.
             * @example user
             */
            subject_type: string;
            /** @example 2 */
            subject_id: number | null;
            /**
             * @description Further details, different for each event; never a secret.
             * @example {
             *       "fields": [
             *         "email"
             *       ]
             *     }
             */
            details: {
                [key: string]: unknown;
            } | null;
            /** @example 203.0.113.7 */
            ip_address: string | null;
            /** @example curl/8.14.1 */
            user_agent: string | null;
            /**
             * @description The X-Request-Id of the request.
             * @example 6f0c2d8e-5a0b-4c39-9d0e-0d8a5f3b7c21
             */
            request_id: string | null;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at: string;
        };
        ApiKey: {
            /**
             * Format: int64
             * @example 2
             */
            id: number;
            /**
             * @description The owner. The key acts as this user.
             * @example 1
             */
            user_id: number;
            /** @example Nightly import */
            name: string;
            /**
             * @description The first eight characters of the key; null for keys created before these were stored.
             * @example gh_3q2-7
             */
            prefix: string | null;
            /**
             * @description Names of permissions. Null: all of the owner's. An empty list: none.
             * @example [
             *       "users.manage"
             *     ]
             */
            permissions: string[] | null;
            /**
             * Format: timestamp
             * @description When the key expires, UTC; null for never.
             * @example 2099-12-31 23:59:59
             */
            expires_at: string | null;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            last_used_at: string | null;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at: string;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            updated_at: string;
        };
        IssuedApiKey: {
            /**
             * Format: int64
             * @example 2
             */
            id: number;
            /**
             * @description The owner. The key acts as this user.
             * @example 1
             */
            user_id: number;
            /** @example Nightly import */
            name: string;
            /**
             * @description The first eight characters of the key; null for keys created before these were stored.
             * @example gh_3q2-7
             */
            prefix: string | null;
            /**
             * @description Names of permissions. Null: all of the owner's. An empty list: none.
             * @example [
             *       "users.manage"
             *     ]
             */
            permissions: string[] | null;
            /**
             * Format: timestamp
             * @description When the key expires, UTC; null for never.
             * @example 2099-12-31 23:59:59
             */
            expires_at: string | null;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            last_used_at: string | null;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at: string;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            updated_at: string;
            /**
             * @description The key itself. Only the answer that creates or rotates the key contains it.
             * @example gh_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
             */
            key: string;
        };
        CreateApiKey: {
            /** @example Nightly import */
            name: string;
            /**
             * Format: timestamp
             * @description When the key expires, UTC; null for never.
             * @example 2099-12-31 23:59:59
             */
            expires_at?: string | null;
            /**
             * @description Names of permissions. Null: all of the owner's. An empty list: none.
             * @example [
             *       "users.manage"
             *     ]
             */
            permissions?: string[] | null;
        };
        UpdateApiKey: {
            /** @example Nightly import */
            name?: string;
            /**
             * Format: timestamp
             * @description When the key expires, UTC; null for never.
             * @example 2099-12-31 23:59:59
             */
            expires_at?: string | null;
            /**
             * @description Names of permissions. Null: all of the owner's. An empty list: none.
             * @example [
             *       "users.manage"
             *     ]
             */
            permissions?: string[] | null;
        };
        Country: {
            /**
             * @description ISO 3166-1 numeric code.
             * @example 250
             */
            id: number;
            /** @example France */
            name: string;
            /** @example French Republic */
            full_name: string;
            /** @example Paris */
            capital: string | null;
            /** @example French */
            citizenship: string | null;
            /**
             * @description The numeric code, the same as id.
             * @example 250
             */
            country_code: number;
            /** @example Euro */
            currency: string | null;
            /**
             * @description ISO 4217.
             * @example EUR
             */
            currency_code: string | null;
            /**
             * @description Always null: no maintained data package names it.
             * @example null
             */
            currency_sub_unit: string | null;
            /** @example € */
            currency_symbol: string | null;
            /**
             * @description Two letters.
             * @example FR
             */
            iso_3166_2: string;
            /**
             * @description Three letters.
             * @example FRA
             */
            iso_3166_3: string;
            /**
             * @description UN M49.
             * @example 150
             */
            region_code: number | null;
            /**
             * @description UN M49.
             * @example 155
             */
            sub_region_code: number | null;
            /**
             * @description In the European Economic Area.
             * @example true
             */
            eea: boolean;
            /** @example 33 */
            calling_code: number | null;
            /**
             * @description The address of a picture (SVG) of the flag.
             * @example https://users.example.com/flags/fr-7.5.0.svg
             */
            flag: string;
        };
        Permission: {
            /**
             * Format: int64
             * @example 2
             */
            id: number;
            /**
             * @description Letters, digits, dot, colon, hyphen and underscore, of which the first is a letter or digit.
             * @example invoices.read
             */
            name: string;
            /** @example Support team */
            display_name: string | null;
            /** @example Answers what users ask. */
            description: string | null;
            /**
             * @description False for a built-in role or permission.
             * @example true
             */
            removable: boolean;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at: string;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            updated_at: string;
        };
        Role: {
            /**
             * Format: int64
             * @example 2
             */
            id: number;
            /** @example Support */
            name: string;
            /** @example Support team */
            display_name: string | null;
            /** @example Answers what users ask. */
            description: string | null;
            /**
             * @description Whether the users of the role must have a second factor.
             * @example optional
             * @enum {string}
             */
            two_factor: "optional" | "required";
            /**
             * @description False for a built-in role or permission.
             * @example true
             */
            removable: boolean;
            /**
             * @description The number of users with this role.
             * @example 3
             */
            users_count: number;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at: string;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            updated_at: string;
            permissions?: components["schemas"]["Permission"][];
        };
        CreateRole: {
            /** @example Support */
            name: string;
            /** @example Support team */
            display_name?: string | null;
            /** @example Answers what users ask. */
            description?: string | null;
            /**
             * @description Whether the users of the role must have a second factor.
             * @example optional
             * @enum {string}
             */
            two_factor?: "optional" | "required";
        };
        UpdateRole: {
            /** @example Support */
            name?: string;
            /** @example Support team */
            display_name?: string | null;
            /** @example Answers what users ask. */
            description?: string | null;
            /**
             * @description Whether the users of the role must have a second factor.
             * @example optional
             * @enum {string}
             */
            two_factor?: "optional" | "required";
        };
        CreatePermission: {
            /**
             * @description Letters, digits, dot, colon, hyphen and underscore, of which the first is a letter or digit.
             * @example invoices.read
             */
            name: string;
            /** @example Support team */
            display_name?: string | null;
            /** @example Answers what users ask. */
            description?: string | null;
        };
        UpdatePermission: {
            /**
             * @description Letters, digits, dot, colon, hyphen and underscore, of which the first is a letter or digit.
             * @example invoices.read
             */
            name?: string;
            /** @example Support team */
            display_name?: string | null;
            /** @example Answers what users ask. */
            description?: string | null;
        };
        SetRolePermissions: {
            /**
             * @description Names or ids. Permissions that are not listed are removed from the role.
             * @example [
             *       "users.manage",
             *       "users.activity"
             *     ]
             */
            permissions: (string | number)[];
            /**
             * @description Required to give administrator permissions to the role of self-registered accounts.
             * @example false
             */
            force?: boolean;
        };
        User: {
            /**
             * Format: int64
             * @example 2
             */
            id: number;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** @example Ada */
            first_name: string | null;
            /** @example Lovelace */
            last_name: string | null;
            /** @example ada */
            username: string | null;
            /** @example +44 20 7946 0958 */
            phone: string | null;
            /** @example 12 St James's Square, London */
            address: string | null;
            /**
             * @description ISO 3166-1 numeric code; see GET /countries.
             * @example 826
             */
            country_id: number | null;
            /**
             * Format: date
             * @description YYYY-MM-DD, not in the future.
             * @example 1990-12-10
             */
            birthday: string | null;
            /**
             * @description URL of the picture; a default picture if none was set.
             * @example https://users.example.com/avatars/default.svg
             */
            avatar: string;
            /**
             * Format: int64
             * @description See GET /roles.
             * @example 2
             */
            role_id: number;
            /**
             * @description Unconfirmed: registered, email address not yet confirmed.
             * @example Active
             * @enum {string}
             */
            status: "Active" | "Unconfirmed" | "Banned";
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            last_login: string | null;
            /**
             * @description As it was sent.
             * @example 826
             */
            two_factor_country_code: number | null;
            /**
             * @description Without the country code.
             * @example 2079460958
             */
            two_factor_phone: string | null;
            /** @description Null if two-factor authentication is off. */
            two_factor_options: {
                /** @example true */
                enabled: boolean;
                /** @example sms */
                channel: string;
            } | null;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at: string;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            updated_at: string;
            role?: components["schemas"]["Role"];
            country?: components["schemas"]["Country"] | null;
        };
        CreateUser: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: password
             * @description Any Unicode; not easy to guess, not the email address or the username.
             * @example correct horse battery staple
             */
            password: string;
            /**
             * Format: password
             * @description The same as password.
             * @example correct horse battery staple
             */
            password_confirmation: string;
            /**
             * Format: int64
             * @description See GET /roles.
             * @example 2
             */
            role_id: number;
            /** @example Ada */
            first_name?: string | null;
            /** @example Lovelace */
            last_name?: string | null;
            /** @example ada */
            username?: string | null;
            /** @example +44 20 7946 0958 */
            phone?: string | null;
            /** @example 12 St James's Square, London */
            address?: string | null;
            /**
             * @description ISO 3166-1 numeric code; see GET /countries.
             * @example 826
             */
            country_id?: number | null;
            /**
             * Format: date
             * @description YYYY-MM-DD, not in the future.
             * @example 1990-12-10
             */
            birthday?: string | null;
        };
        UpdateUser: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email?: string;
            /**
             * Format: password
             * @description Any Unicode; not easy to guess, not the email address or the username.
             * @example correct horse battery staple
             */
            password?: string;
            /**
             * Format: password
             * @description The same as password.
             * @example correct horse battery staple
             */
            password_confirmation?: string;
            /**
             * Format: int64
             * @description See GET /roles.
             * @example 2
             */
            role_id?: number;
            /**
             * @description Unconfirmed: registered, email address not yet confirmed.
             * @example Active
             * @enum {string}
             */
            status?: "Active" | "Unconfirmed" | "Banned";
            /**
             * @description With a password: whether it revokes the API keys of the user. False unless sent.
             * @example true
             */
            revoke_keys?: boolean | null;
            /**
             * @description With a ban: why, for the activity. It is no field of the user.
             * @example Spam
             */
            reason?: string | null;
            /**
             * Format: password
             * @description Required if the account is your own and has a password.
             * @example a quiet harbour at dawn
             */
            current_password?: string;
            /** @example Ada */
            first_name?: string | null;
            /** @example Lovelace */
            last_name?: string | null;
            /** @example ada */
            username?: string | null;
            /** @example +44 20 7946 0958 */
            phone?: string | null;
            /** @example 12 St James's Square, London */
            address?: string | null;
            /**
             * @description ISO 3166-1 numeric code; see GET /countries.
             * @example 826
             */
            country_id?: number | null;
            /**
             * Format: date
             * @description YYYY-MM-DD, not in the future.
             * @example 1990-12-10
             */
            birthday?: string | null;
        };
        ExternalAvatar: {
            /**
             * Format: http-url
             * @description An http or https address without credentials, on the public internet; stored as it is, never fetched.
             * @example https://cdn.example.com/ada.png
             */
            url: string;
        };
        Job: {
            /**
             * Format: int64
             * @example 2
             */
            id: number;
            /**
             * @example users.import
             * @enum {string}
             */
            type: "users.import" | "users.bulk" | "users.undo";
            /**
             * @example running
             * @enum {string}
             */
            status: "queued" | "running" | "done" | "failed" | "cancelled";
            /**
             * @description True if it changes nothing.
             * @example false
             */
            dry_run: boolean;
            /**
             * @description The number of rows or users; null if unknown.
             * @example 45210
             */
            total: number | null;
            /**
             * @description How many of them it has looked at.
             * @example 12000
             */
            done: number;
            /**
             * @description Users that it created.
             * @example 11200
             */
            created: number;
            /**
             * @description Users that it changed or deleted.
             * @example 500
             */
            updated: number;
            /**
             * @description Rows that change nothing, and users that it may not change.
             * @example 200
             */
            skipped: number;
            /**
             * @description Rows with an error, and users whom an undo cannot restore.
             * @example 100
             */
            failed: number;
            /**
             * @description Of a bulk action: which.
             * @example ban
             */
            action: string | null;
            /**
             * @description Why it failed.
             * @example The author of this job was deleted or banned.
             */
            message: string | null;
            /**
             * @description True if POST /jobs/{id}/undo takes it back.
             * @example false
             */
            can_undo: boolean;
            /**
             * @description The job that took this one back.
             * @example 18
             */
            undone_by: number | null;
            /**
             * @description Of an undo: the job that it takes back.
             * @example 17
             */
            undoes: number | null;
            /**
             * @description Null for the command line.
             * @example 1
             */
            created_by: number | null;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at: string;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            started_at: string | null;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            finished_at: string | null;
        };
        JobError: {
            /**
             * @description The line of the file; the header is 1.
             * @example 17
             */
            line: number | null;
            /** @example email */
            field: string | null;
            /** @example user_email_taken */
            code: string;
            /** @example The email has already been taken. */
            message: string;
        };
        BulkUsers: {
            /**
             * @example ban
             * @enum {string}
             */
            action: "ban" | "activate" | "delete" | "set_role" | "end_sessions" | "send_password_reset" | "resend_confirmation";
            /**
             * Format: int64
             * @description For set_role.
             * @example 2
             */
            role_id?: number | null;
            /**
             * @description The filters of GET /users by name, such as search, status, role_id, country_id, created_before; each with a value. None at all: everybody.
             * @example {
             *       "status": "Unconfirmed",
             *       "created_before": "2026-01-01"
             *     }
             */
            filter?: Record<string, never> | null;
            /**
             * @description Instead of a filter.
             * @example [
             *       2,
             *       3
             *     ]
             */
            ids?: number[] | null;
            /**
             * Format: int64
             * @description How many users match: with another number nothing is done. Also those whom you may not change count.
             * @example 2
             */
            expected: number;
        };
        Delivery: {
            /**
             * Format: int64
             * @example 2
             */
            id: number;
            /** @enum {string} */
            kind: "mail" | "sms";
            /**
             * @description The kind of message.
             * @example reset-password
             */
            template: string;
            /**
             * @description captured: stored instead of sent, because no server is configured. failed: will not be retried.
             * @enum {string}
             */
            status: "queued" | "sending" | "sent" | "failed" | "captured";
            /** @example 2 */
            user_id: number | null;
            /** @example ada@example.com */
            recipient: string;
            /** @example Reset your password */
            subject: string | null;
            /**
             * @description Null if it contains a token or code, unless the message is captured or waits to be captured.
             * @example Somebody asked to reset the password of this account.
             */
            body_text: string | null;
            /** @example <p>Somebody asked to reset the password of this account.</p> */
            body_html: string | null;
            /**
             * @description The same for every attempt.
             * @example <0b5c7a0e-6c1f-4a53-9a53-2f1f0a7d9c11@example.com>
             */
            message_id: string;
            /** @example 1 */
            attempts: number;
            /**
             * @description The server’s reply to the last attempt.
             * @example 451 Try again later
             */
            last_error: string | null;
            /**
             * @description Null unless the message is queued.
             * @example 2026-11-20 10:49:27
             */
            next_try_at: string | null;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at: string;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            updated_at: string;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            sent_at: string | null;
        };
        Event: {
            type: components["schemas"]["EventName"];
            /**
             * @description ISO 8601, UTC.
             * @example 2026-11-20T10:49:27Z
             */
            timestamp: string;
            data: {
                /**
                 * @description The id of the event in the activity.
                 * @example 17
                 */
                id: number;
                /**
                 * @description The user who did it; null for the command line and the system.
                 * @example 1
                 */
                actor_id: number | null;
                subject: {
                    /** @example user */
                    type: string;
                    /** @example 2 */
                    id: number | null;
                };
                user?: components["schemas"]["User"];
                /**
                 * @description Further details, different for each event; never a secret.
                 * @example {
                 *       "fields": [
                 *         "email"
                 *       ]
                 *     }
                 */
                details: {
                    [key: string]: unknown;
                } | null;
            };
        };
        InviteUser: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: int64
             * @description See GET /roles.
             * @example 2
             */
            role_id: number;
            /** @example Ada */
            first_name?: string | null;
            /** @example Lovelace */
            last_name?: string | null;
            /** @example ada */
            username?: string | null;
            /** @example +44 20 7946 0958 */
            phone?: string | null;
            /** @example 12 St James's Square, London */
            address?: string | null;
            /**
             * @description ISO 3166-1 numeric code; see GET /countries.
             * @example 826
             */
            country_id?: number | null;
            /**
             * Format: date
             * @description YYYY-MM-DD, not in the future.
             * @example 1990-12-10
             */
            birthday?: string | null;
        };
        InvitationToken: {
            /**
             * @description From the link in the email.
             * @example vAPBcytTuP4xc1JCNigLVJ9NPrlXAeyyFrWJS-HBr00
             */
            token: string;
        };
        InvitationPreview: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /** @example ada */
            username?: string | null;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            expires_at: string;
        };
        AcceptInvitation: {
            /**
             * @description From the link in the email.
             * @example vAPBcytTuP4xc1JCNigLVJ9NPrlXAeyyFrWJS-HBr00
             */
            token: string;
            /** @example ada */
            username?: string | null;
            /**
             * Format: password
             * @description Any Unicode; not easy to guess, not the email address or the username.
             * @example correct horse battery staple
             */
            password: string;
            /**
             * Format: password
             * @description The same as password.
             * @example correct horse battery staple
             */
            password_confirmation: string;
        };
        Session: {
            /**
             * @description An id; not the credential.
             * @example sX0c1vV3b0m9b1hQJ2mA4g
             */
            id: string;
            /** @example 2 */
            user_id: number;
            /** @example 203.0.113.7 */
            ip_address: string;
            /** @example Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 */
            user_agent: string;
            /** @example Firefox */
            browser: string;
            /** @example Linux */
            platform: string;
            /** @example Desktop */
            device: string;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            last_activity: string;
            /**
             * @description True on the session of this request; absent on all others.
             * @example true
             */
            current?: boolean;
        };
        UpdateOwnDetails: {
            /** @example Ada */
            first_name?: string | null;
            /** @example Lovelace */
            last_name?: string | null;
            /** @example +44 20 7946 0958 */
            phone?: string | null;
            /** @example 12 St James's Square, London */
            address?: string | null;
            /**
             * @description ISO 3166-1 numeric code; see GET /countries.
             * @example 826
             */
            country_id?: number | null;
            /**
             * Format: date
             * @description YYYY-MM-DD, not in the future.
             * @example 1990-12-10
             */
            birthday?: string | null;
        };
        UpdateOwnSignIn: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email?: string;
            /** @example ada */
            username?: string | null;
            /**
             * Format: password
             * @description Any Unicode; not easy to guess, not the email address or the username.
             * @example correct horse battery staple
             */
            password?: string;
            /**
             * Format: password
             * @description The same as password.
             * @example correct horse battery staple
             */
            password_confirmation?: string;
            /**
             * Format: password
             * @description Required if the account is your own and has a password.
             * @example a quiet harbour at dawn
             */
            current_password?: string;
        };
        /** @example users.manage */
        PermissionName: string;
        /**
         * @description Any JSON object; Gatehouse only keeps it.
         * @example {
         *       "theme": "dark",
         *       "views": [
         *         {
         *           "name": "Banned",
         *           "query": "filter[status]=Banned"
         *         }
         *       ]
         *     }
         */
        Preferences: {
            [key: string]: unknown;
        };
        Meta: {
            /** @example 0.1.0 */
            version: string;
            /**
             * @example [
             *       "notes"
             *     ]
             */
            plugins: string[];
            /**
             * @description Where the console halves of the plugins are.
             * @example [
             *       "/plugins/notes/console.js"
             *     ]
             */
            console_plugins: string[];
            features: {
                /** @example true */
                registration: boolean;
                /** @example true */
                email_confirmation: boolean;
                /** @example true */
                password_reset: boolean;
                /** @example true */
                two_factor: boolean;
                /**
                 * @description True if people can sign up without a password, with a passkey.
                 * @example false
                 */
                passwordless: boolean;
            };
            /** @description Null if the terms need not be accepted. */
            terms: {
                /** @example 2026-11 */
                version: string | null;
                /** @example https://example.com/terms */
                url: string | null;
            } | null;
            /** @description Null if registration asks for none. */
            captcha: {
                /** @example turnstile */
                provider: string;
                /** @example 10000000-ffff-ffff-ffff-000000000001 */
                site_key: string;
            } | null;
            /** @example 8 */
            password_min_length: number;
        };
        RemindPassword: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
        };
        ResetLink: {
            /**
             * @description From the link in the email.
             * @example vAPBcytTuP4xc1JCNigLVJ9NPrlXAeyyFrWJS-HBr00
             */
            token: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
        };
        ResetPreview: {
            /**
             * @description The number of the user’s active API keys.
             * @example 2
             */
            api_keys: number;
        };
        ResetPassword: {
            /**
             * @description From the link in the email.
             * @example vAPBcytTuP4xc1JCNigLVJ9NPrlXAeyyFrWJS-HBr00
             */
            token: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: password
             * @description Any Unicode; not easy to guess, not the email address or the username.
             * @example correct horse battery staple
             */
            password: string;
            /**
             * Format: password
             * @description The same as password.
             * @example correct horse battery staple
             */
            password_confirmation: string;
            /**
             * @description Whether the user’s API keys are revoked as well. True by default.
             * @example true
             */
            revoke_keys?: boolean | null;
        };
        Factor: {
            /**
             * Format: int64
             * @example 2
             */
            id: number;
            /**
             * @example totp
             * @enum {string}
             */
            type: "sms" | "totp" | "passkey";
            /** @example Phone */
            name: string;
            /**
             * @description False while it waits for its first code.
             * @example true
             */
            verified: boolean;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at: string;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            last_used_at: string | null;
        };
        FactorList: {
            data: components["schemas"]["Factor"][];
            meta: {
                /** @example 10 */
                recovery_codes_left: number;
            };
        };
        FactorTurnedOn: {
            data: components["schemas"]["Factor"];
            /**
             * @description Shown only here: each replaces a factor once.
             * @example [
             *       "7k2mq-x9d4t"
             *     ]
             */
            recovery_codes?: string[];
        };
        SmsTurnedOn: {
            data: components["schemas"]["User"];
            /**
             * @description Shown only here: each replaces a factor once.
             * @example [
             *       "7k2mq-x9d4t"
             *     ]
             */
            recovery_codes?: string[];
        };
        RecoveryCodes: {
            /**
             * @description Shown only here: each replaces a factor once.
             * @example [
             *       "7k2mq-x9d4t"
             *     ]
             */
            recovery_codes: string[];
        };
        ProveAccount: {
            /**
             * Format: password
             * @description Required if the account is your own and has a password.
             * @example a quiet harbour at dawn
             */
            current_password?: string;
        };
        CreateTotp: {
            /**
             * Format: password
             * @description Required if the account is your own and has a password.
             * @example a quiet harbour at dawn
             */
            current_password?: string;
            /**
             * @description What you call it.
             * @example My phone
             */
            name?: string | null;
        };
        NewTotp: {
            /**
             * Format: int64
             * @example 2
             */
            id: number;
            /**
             * @description Base 32.
             * @example JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP
             */
            secret: string;
            /** @example otpauth://totp/Gatehouse:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Gatehouse */
            uri: string;
            /**
             * @description The same as a QR code: an SVG as a data URI.
             * @example data:image/svg+xml;base64,PHN2Zz4=
             */
            qr: string;
        };
        VerifyFactor: {
            /**
             * @description The six digits that the app shows.
             * @example 042195
             */
            token: string;
        };
        CreatePasskey: {
            /**
             * @description What the browser answered, in its JSON form (WebAuthn level 3).
             * @example {
             *       "id": "AAAA",
             *       "type": "public-key",
             *       "response": {}
             *     }
             */
            credential: {
                [key: string]: unknown;
            };
            /**
             * @description What you call it.
             * @example My phone
             */
            name?: string | null;
        };
        /**
         * @description For `navigator.credentials.create`, in its JSON form.
         * @example {
         *       "challenge": "MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM"
         *     }
         */
        PasskeyCreationOptions: {
            [key: string]: unknown;
        };
        Reauthenticate: {
            /**
             * Format: password
             * @description Required if the account is your own and has a password.
             * @example a quiet harbour at dawn
             */
            current_password?: string;
            /**
             * @description With the password where a second factor is on: a code of the app, of the SMS, or a recovery code.
             * @example 042195
             */
            token?: string;
            /**
             * @description The method of the answer. If it is not sent, the form decides; six digits belong to the preferred method. Ignored with a `credential`.
             * @example totp
             * @enum {string|null}
             */
            method?: "totp" | "sms" | "passkey" | "recovery_code" | null;
            /** @example MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM */
            challenge?: string;
            /**
             * @description What the browser answered, in its JSON form (WebAuthn level 3).
             * @example {
             *       "id": "AAAA",
             *       "type": "public-key",
             *       "response": {}
             *     }
             */
            credential?: {
                [key: string]: unknown;
            };
        };
        ReauthenticationOptions: {
            /** @example MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM */
            challenge: string;
            /**
             * @description For `navigator.credentials.get`, in its JSON form.
             * @example {
             *       "challenge": "MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM"
             *     }
             */
            options: {
                [key: string]: unknown;
            };
        };
        ReauthenticationCode: {
            /** @example MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM */
            challenge: string;
        };
        Register: {
            /** @example ada */
            username: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
            /**
             * Format: password
             * @description Any Unicode; not easy to guess, not the email address or the username.
             * @example correct horse battery staple
             */
            password: string;
            /**
             * Format: password
             * @description The same as password.
             * @example correct horse battery staple
             */
            password_confirmation: string;
            /**
             * @description True if the terms of service are accepted.
             * @example true
             */
            tos?: boolean | null;
            /**
             * @description The captcha provider's response.
             * @example 10000000-aaaa-bbbb-cccc-000000000001
             */
            "g-captcha-response"?: string | null;
            /**
             * @description Used if g-captcha-response is missing.
             * @example 10000000-aaaa-bbbb-cccc-000000000001
             */
            "g-recaptcha-response"?: unknown;
            /**
             * @description Used if g-captcha-response is missing.
             * @example 10000000-aaaa-bbbb-cccc-000000000001
             */
            "h-captcha-response"?: unknown;
            /**
             * @description Used if g-captcha-response is missing.
             * @example 10000000-aaaa-bbbb-cccc-000000000001
             */
            "cf-turnstile-response"?: unknown;
        };
        RegisterAnswer: {
            /**
             * @description True if an email with a confirmation link was sent.
             * @example true
             */
            requires_email_confirmation: boolean;
        };
        EmailToken: {
            /**
             * @description From the link in the email.
             * @example vAPBcytTuP4xc1JCNigLVJ9NPrlXAeyyFrWJS-HBr00
             */
            token: string;
        };
        ConfirmEmail: {
            /**
             * @description From the link in the email.
             * @example vAPBcytTuP4xc1JCNigLVJ9NPrlXAeyyFrWJS-HBr00
             */
            token: string;
            /**
             * Format: password
             * @description The current password of the account; not needed where it has none.
             * @example correct horse battery staple
             */
            password: string;
            /**
             * @description Where the account has no password: store its first session in a cookie instead of returning a token.
             * @example false
             */
            cookie?: boolean;
        };
        ConfirmEmailAnswer: {
            /**
             * @description Always true.
             * @example true
             */
            success: boolean;
            /**
             * @description The first session of an account without a password, to add a passkey.
             * @example gs_vAPBcytTuP4xc1JCNigLVJ9NPrlXAeyyFrWJS-HBr00
             */
            token?: string;
        };
        EmailAddress: {
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
        };
        EmailPreview: {
            /** @example ada@example.com */
            email: string;
            /**
             * @description True if the account has no password: the token alone confirms it.
             * @example true
             */
            without_password?: boolean;
        };
        SecureAccount: {
            /**
             * @description From the link in the email.
             * @example vAPBcytTuP4xc1JCNigLVJ9NPrlXAeyyFrWJS-HBr00
             */
            token: string;
        };
        SecureAccountPreview: {
            /**
             * @description Where the password reset goes.
             * @example ada@example.com
             */
            email: string;
            /**
             * @description True if the account gets this address back.
             * @example false
             */
            restores_email: boolean;
            /**
             * @description How many sessions end.
             * @example 2
             */
            sessions: number;
            /**
             * @description How many API keys of the last seven days are revoked.
             * @example 0
             */
            api_keys: number;
            /**
             * @description How many second factors stay. One of them may be an intruder’s.
             * @example 1
             */
            factors: number;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            expires_at: string | null;
        };
        Login: {
            /**
             * @description The username or the email address.
             * @example ada@example.com
             */
            username: string;
            /**
             * Format: password
             * @example a quiet harbour at dawn
             */
            password: string;
            /** @example Ada's phone */
            device_name?: string | null;
            /**
             * @description Store the session in an HttpOnly cookie instead of returning a token.
             * @example false
             */
            cookie?: boolean;
        };
        LoginCode: {
            /** @example MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM */
            challenge: string;
            /**
             * @description The six digits of the app or the SMS, or a recovery code. Required without `credential`.
             * @example 042195
             */
            token?: string;
            /**
             * @description The method of the answer. If it is not sent, the form decides; six digits belong to the preferred method. Ignored with a `credential`.
             * @example totp
             * @enum {string|null}
             */
            method?: "totp" | "sms" | "passkey" | "recovery_code" | null;
            /**
             * @description What the browser answered, in its JSON form (WebAuthn level 3).
             * @example {
             *       "id": "AAAA",
             *       "type": "public-key",
             *       "response": {}
             *     }
             */
            credential?: {
                [key: string]: unknown;
            };
        };
        LoginChallenge: {
            /** @example MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM */
            challenge: string;
        };
        PasskeyChallenge: {
            /** @example MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM */
            challenge: string;
            /**
             * @description For `navigator.credentials.get`, in its JSON form.
             * @example {
             *       "challenge": "MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM"
             *     }
             */
            options: {
                [key: string]: unknown;
            };
        };
        LoginPasskey: {
            /** @example MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM */
            challenge: string;
            /**
             * @description What the browser answered, in its JSON form (WebAuthn level 3).
             * @example {
             *       "id": "AAAA",
             *       "type": "public-key",
             *       "response": {}
             *     }
             */
            credential: {
                [key: string]: unknown;
            };
            /** @example Ada's phone */
            device_name?: string | null;
            /**
             * @description Store the session in an HttpOnly cookie instead of returning a token.
             * @example false
             */
            cookie?: boolean;
        };
        LoginAnswer: {
            /**
             * @description Use it in the Authorization header, like an API key.
             * @example gs_vAPBcytTuP4xc1JCNigLVJ9NPrlXAeyyFrWJS-HBr00
             */
            token?: string;
            /**
             * @description With `cookie`: the session is in the cookie.
             * @example true
             */
            success?: boolean;
            /**
             * @description Continue with POST /login/2fa. If the first method is `sms`, a code was sent.
             * @example true
             */
            two_factor_required?: boolean;
            /** @example MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM */
            challenge?: string;
            /**
             * @description The methods that the user has, the preferred first: totp, sms, passkey, recovery_code.
             * @example [
             *       "totp",
             *       "recovery_code"
             *     ]
             */
            methods?: string[];
            /**
             * @description For `navigator.credentials.get`, in its JSON form.
             * @example {
             *       "challenge": "MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM"
             *     }
             */
            options?: {
                [key: string]: unknown;
            };
            /**
             * @description The role requires a second factor and the user has none: until one is on, the session can only add one.
             * @example true
             */
            two_factor_enrolment_required?: boolean;
        };
        SignIn: {
            /**
             * Format: int64
             * @example 2
             */
            id: number;
            /** @example true */
            success: boolean;
            /**
             * @description Why it failed: `password`, `two_factor`, `banned`, `unconfirmed` or `limited`; null for a success.
             * @example null
             */
            reason: string | null;
            /**
             * @description What completed it: `password`, `totp`, `sms`, `recovery_code`, `passkey` or `email_link`.
             * @example totp
             */
            method: string | null;
            /** @example Firefox */
            browser: string | null;
            /** @example Linux */
            platform: string | null;
            /**
             * @description The IPv4 address or IPv6 /64; after 30 days the /24 or /48.
             * @example 203.0.113.7
             */
            network: string | null;
            /**
             * @description How many within the minute.
             * @example 1
             */
            count: number;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at: string;
        };
        Stats: {
            users: {
                /** @example 42 */
                total: number;
                by_status: {
                    /** @example 39 */
                    Active: number;
                    /** @example 2 */
                    Unconfirmed: number;
                    /** @example 1 */
                    Banned: number;
                };
            };
            /**
             * @description Users who lack the second factor that their role requires.
             * @example 0
             */
            without_required_factor: number;
            /**
             * @description The last twelve months, oldest first.
             * @example [
             *       {
             *         "month": "2026-11",
             *         "count": 7
             *       }
             *     ]
             */
            sign_ups: {
                /** @example 2026-11 */
                month: string;
                /** @example 7 */
                count: number;
            }[];
            /** @description The newest seven accounts. */
            latest_registrations: components["schemas"]["User"][];
            /** @description True if no server is configured, so that messages stay in the outbox. */
            captured: {
                /** @example true */
                mail: boolean;
                /** @example true */
                sms: boolean;
            };
        };
        StreamMessage: {
            /**
             * @description Its place in the log.
             * @example 17
             */
            id: number;
            /**
             * @description The name of the event, as in the activity.
             * @example user.banned
             */
            event: string;
            /**
             * @description The subject of the event.
             * @example {
             *       "type": "user",
             *       "id": 2
             *     }
             */
            subject: {
                type: string;
                id: number | null;
            };
            /**
             * @description The acting user, if you may read the activity.
             * @example 1
             */
            actor_id: number | null;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at: string;
        };
        EnableTwoFactor: {
            /**
             * @description ISO 3166-1 numeric code. If it makes no valid number with `phone_number`, it is read as a calling code.
             * @example 276
             */
            country_code: number;
            /**
             * @description Without the country code. A string of digits, which keeps leading zeros, or a number.
             * @example 1701234567
             */
            phone_number: string | number;
            /**
             * Format: password
             * @description Required if the account is your own and has a password.
             * @example a quiet harbour at dawn
             */
            current_password?: string;
        };
        DisableTwoFactor: {
            /**
             * Format: password
             * @description Required if the account is your own and has a password.
             * @example a quiet harbour at dawn
             */
            current_password?: string;
        };
        VerifyTwoFactor: {
            /**
             * @description The six digits from the SMS.
             * @example 042195
             */
            token: string;
        };
        TokenSent: {
            data: components["schemas"]["User"];
            /** @example Verification token sent. */
            message: string;
        };
        SmsCountry: {
            /**
             * @description ISO 3166-1 numeric code, for `country_code`.
             * @example 276
             */
            id: number;
            /** @example Germany */
            name: string;
            /** @example 49 */
            calling_code: number;
        };
        Webhook: {
            /**
             * Format: int64
             * @example 2
             */
            id: number;
            /** @example https://example.com/hooks/gatehouse */
            url: string;
            /**
             * @description Names of events, `user.*` for all that begin like that, `*` for all.
             * @example [
             *       "user.*",
             *       "role.created"
             *     ]
             */
            events: string[];
            /** @example Keeps the CRM up to date */
            description: string | null;
            /**
             * @description False: nothing is sent. What happens then is sent by a replay only.
             * @example true
             */
            enabled: boolean;
            /**
             * @description Why it is switched off: by an administrator, because it answered 410, or because nothing but failures came for three days. Null while it is on.
             * @enum {string|null}
             */
            disabled_reason: "administrator" | "gone" | "failing" | null;
            /**
             * @description Since when nothing but failures came; null after a success.
             * @example 2026-11-20 10:49:27
             */
            failing_since: string | null;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at: string;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            updated_at: string;
        };
        WebhookWithSecret: {
            /**
             * Format: int64
             * @example 2
             */
            id: number;
            /** @example https://example.com/hooks/gatehouse */
            url: string;
            /**
             * @description Names of events, `user.*` for all that begin like that, `*` for all.
             * @example [
             *       "user.*",
             *       "role.created"
             *     ]
             */
            events: string[];
            /** @example Keeps the CRM up to date */
            description: string | null;
            /**
             * @description False: nothing is sent. What happens then is sent by a replay only.
             * @example true
             */
            enabled: boolean;
            /**
             * @description Why it is switched off: by an administrator, because it answered 410, or because nothing but failures came for three days. Null while it is on.
             * @enum {string|null}
             */
            disabled_reason: "administrator" | "gone" | "failing" | null;
            /**
             * @description Since when nothing but failures came; null after a success.
             * @example 2026-11-20 10:49:27
             */
            failing_since: string | null;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at: string;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            updated_at: string;
            /**
             * @description Verifies the signatures. Only the answer that creates or rotates it contains it.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            secret: string;
        };
        CreateWebhook: {
            /**
             * Format: http-url
             * @description https; http only to the networks of GATEHOUSE_WEBHOOK_NETWORKS.
             * @example https://example.com/hooks/gatehouse
             */
            url: string;
            /**
             * @description Names of events, `user.*` for all that begin like that, `*` for all.
             * @example [
             *       "user.*",
             *       "role.created"
             *     ]
             */
            events: string[];
            /** @example Keeps the CRM up to date */
            description?: string | null;
            /**
             * @description False: nothing is sent. What happens then is sent by a replay only.
             * @example true
             */
            enabled?: boolean;
        };
        UpdateWebhook: {
            /**
             * Format: http-url
             * @description https; http only to the networks of GATEHOUSE_WEBHOOK_NETWORKS.
             * @example https://example.com/hooks/gatehouse
             */
            url?: string;
            /**
             * @description Names of events, `user.*` for all that begin like that, `*` for all.
             * @example [
             *       "user.*",
             *       "role.created"
             *     ]
             */
            events?: string[];
            /** @example Keeps the CRM up to date */
            description?: string | null;
            /**
             * @description False: nothing is sent. What happens then is sent by a replay only.
             * @example true
             */
            enabled?: boolean;
        };
        WebhookAttempt: {
            /**
             * Format: int64
             * @example 2
             */
            id: number;
            /**
             * @description The `webhook-id` header: the same at every attempt and replay.
             * @example msg_2mXyD1kRrYq7hX0p4nB6tA8c
             */
            message_id: string;
            /**
             * @description The event.
             * @example user.created
             */
            type: string;
            /**
             * @description Of the answer; null if none came.
             * @example 200
             */
            status: number | null;
            /**
             * @description Why no answer came.
             * @example ECONNREFUSED
             */
            error: string | null;
            /** @example 84 */
            duration_ms: number;
            /**
             * @description The first 16 KiB of the answer.
             * @example ok
             */
            answer: string | null;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at: string;
        };
        WebhookAttemptDetails: {
            /**
             * Format: int64
             * @example 2
             */
            id: number;
            /**
             * @description The `webhook-id` header: the same at every attempt and replay.
             * @example msg_2mXyD1kRrYq7hX0p4nB6tA8c
             */
            message_id: string;
            /**
             * @description The event.
             * @example user.created
             */
            type: string;
            /**
             * @description Of the answer; null if none came.
             * @example 200
             */
            status: number | null;
            /**
             * @description Why no answer came.
             * @example ECONNREFUSED
             */
            error: string | null;
            /** @example 84 */
            duration_ms: number;
            /**
             * @description The first 16 KiB of the answer.
             * @example ok
             */
            answer: string | null;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at: string;
            /**
             * @description The body as it would be sent now; null if the event is not kept any more.
             * @example {"type":"user.created"}
             */
            request: string | null;
        };
        QueuedMessage: {
            /**
             * @description The `webhook-id` header: the same at every attempt and replay.
             * @example msg_2mXyD1kRrYq7hX0p4nB6tA8c
             */
            message_id: string;
        };
        ReplayWebhook: {
            /**
             * Format: timestamp
             * @description From, UTC.
             * @example 2026-11-20 10:49:27
             */
            from: string;
            /**
             * Format: timestamp
             * @description To, inclusive, UTC.
             * @example 2026-11-20 10:49:27
             */
            to: string;
        };
        WebhookReplay: {
            /**
             * @description How many messages were queued.
             * @example 12
             */
            messages: number;
        };
        /**
         * @description The name of an event.
         * @enum {string}
         */
        EventName: "user.created" | "user.registered" | "user.confirmed" | "user.invited" | "user.updated" | "user.email_was_another" | "user.email_collides" | "user.deleted" | "user.banned" | "user.activated" | "user.unconfirmed" | "user.role_changed" | "user.password_changed" | "user.password_reset_requested" | "user.avatar_changed" | "user.avatar_removed" | "user.signed_in" | "user.sign_in_failed" | "user.sign_ins_limited" | "user.sessions_ended" | "user.two_factor_requested" | "user.two_factor_enabled" | "user.two_factor_disabled" | "user.factor_added" | "user.factor_removed" | "user.recovery_codes_renewed" | "user.reauthenticated" | "session.ended" | "api_key.created" | "api_key.updated" | "api_key.rotated" | "api_key.revoked" | "role.created" | "role.updated" | "role.deleted" | "role.permissions_changed" | "permission.created" | "permission.updated" | "permission.deleted" | "users.imported" | "users.exported" | "users.bulk_changed" | "settings.updated" | "delivery.retried" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.disabled" | "webhook.tested" | "backup.created" | "sms.cap_near" | "announcement.created" | "announcement.updated" | "announcement.deleted" | "announcement.notifications_started" | "announcement.notifications_cancelled" | "announcement.subscribed" | "announcement.unsubscribed";
        Settings: {
            /**
             * Open registration
             * @description Whether people can register themselves. If not, registration answers 404.
             * @example true
             */
            "registration.enabled": boolean;
            /**
             * Confirm email addresses
             * @description Whether a new account must confirm its email address before sign-in.
             * @example true
             */
            "registration.email_confirmation": boolean;
            /**
             * Ask for a captcha
             * @description Whether registration requires a captcha. Needs GATEHOUSE_CAPTCHA_URL.
             * @example false
             */
            "registration.captcha": boolean;
            /**
             * Terms must be accepted
             * @description Whether the terms of service must be accepted.
             * @example false
             */
            "registration.terms": boolean;
            /**
             * Version of the terms
             * @description Stored with each acceptance.
             * @example 2026-11
             */
            "registration.terms_version": string | null;
            /**
             * Address of the terms
             * Format: http-url
             * @example https://example.com/terms
             */
            "registration.terms_url": string | null;
            /**
             * Role of new accounts
             * Format: int64
             * @description The role of self-registered accounts.
             * @example 2
             */
            "registration.default_role_id": number;
            /**
             * Days to confirm an account
             * @description An account that is not confirmed within this time is deleted, unless an administrator invited its owner. 0: never.
             * @example 30
             */
            "registration.unconfirmed_days": number;
            /**
             * Reset by email
             * @description Whether people can reset their password by email.
             * @example true
             */
            "password_reset.enabled": boolean;
            /**
             * Minimum length
             * @description Characters (code points).
             * @example 8
             */
            "password.min_length": number;
            /**
             * Every account has a password
             * @description If not, administrators can create users without one, and people can sign up with a passkey once their address is confirmed.
             * @example true
             */
            "password.required": boolean;
            /**
             * Two-factor authentication
             * @description Whether second factors can be added. Roles that require one can always be served.
             * @example true
             */
            "two_factor.enabled": boolean;
            /**
             * Minutes until an unused session ends
             * @description A session ends after this many minutes without use.
             * @example 120
             */
            "session.idle_minutes": number;
            /**
             * Hours until any session ends
             * @description A session ends this many hours after sign-in.
             * @example 720
             */
            "session.absolute_hours": number;
            /**
             * Sessions of one user
             * @description A sign-in beyond this number ends the session that was used longest ago.
             * @example 50
             */
            "session.max_per_user": number;
            /**
             * Days that the activity is kept
             * @description Older entries are deleted. After 30 days, IP addresses are truncated to their network (/24 or /48).
             * @example 365
             */
            "activity.retention_days": number;
            /**
             * Days that sign-ins are kept
             * @description Older sign-ins, successful and failed, are deleted from the activity.
             * @example 90
             */
            "sign_ins.retention_days": number;
            /**
             * @description The maximum number of announcement mails per minute; 0: as many as the mail server accepts.
             * @default 0
             * @example 600
             */
            "announcements.mails_per_minute": number;
        };
        UpdateSettings: {
            /**
             * Open registration
             * @description Whether people can register themselves. If not, registration answers 404.
             * @example true
             */
            "registration.enabled"?: boolean;
            /**
             * Confirm email addresses
             * @description Whether a new account must confirm its email address before sign-in.
             * @example true
             */
            "registration.email_confirmation"?: boolean;
            /**
             * Ask for a captcha
             * @description Whether registration requires a captcha. Needs GATEHOUSE_CAPTCHA_URL.
             * @example false
             */
            "registration.captcha"?: boolean;
            /**
             * Terms must be accepted
             * @description Whether the terms of service must be accepted.
             * @example false
             */
            "registration.terms"?: boolean;
            /**
             * Version of the terms
             * @description Stored with each acceptance.
             * @example 2026-11
             */
            "registration.terms_version"?: string | null;
            /**
             * Address of the terms
             * Format: http-url
             * @example https://example.com/terms
             */
            "registration.terms_url"?: string | null;
            /**
             * Role of new accounts
             * Format: int64
             * @description The role of self-registered accounts.
             * @example 2
             */
            "registration.default_role_id"?: number;
            /**
             * Days to confirm an account
             * @description An account that is not confirmed within this time is deleted, unless an administrator invited its owner. 0: never.
             * @example 30
             */
            "registration.unconfirmed_days"?: number;
            /**
             * Reset by email
             * @description Whether people can reset their password by email.
             * @example true
             */
            "password_reset.enabled"?: boolean;
            /**
             * Minimum length
             * @description Characters (code points).
             * @example 8
             */
            "password.min_length"?: number;
            /**
             * Every account has a password
             * @description If not, administrators can create users without one, and people can sign up with a passkey once their address is confirmed.
             * @example true
             */
            "password.required"?: boolean;
            /**
             * Two-factor authentication
             * @description Whether second factors can be added. Roles that require one can always be served.
             * @example true
             */
            "two_factor.enabled"?: boolean;
            /**
             * Minutes until an unused session ends
             * @description A session ends after this many minutes without use.
             * @example 120
             */
            "session.idle_minutes"?: number;
            /**
             * Hours until any session ends
             * @description A session ends this many hours after sign-in.
             * @example 720
             */
            "session.absolute_hours"?: number;
            /**
             * Sessions of one user
             * @description A sign-in beyond this number ends the session that was used longest ago.
             * @example 50
             */
            "session.max_per_user"?: number;
            /**
             * Days that the activity is kept
             * @description Older entries are deleted. After 30 days, IP addresses are truncated to their network (/24 or /48).
             * @example 365
             */
            "activity.retention_days"?: number;
            /**
             * Days that sign-ins are kept
             * @description Older sign-ins, successful and failed, are deleted from the activity.
             * @example 90
             */
            "sign_ins.retention_days"?: number;
            /**
             * @description Required to choose a role with administrator permissions for self-registered accounts.
             * @example false
             */
            force?: boolean;
            /**
             * @description The maximum number of announcement mails per minute; 0: as many as the mail server accepts.
             * @example 600
             */
            "announcements.mails_per_minute"?: number;
        };
        /** @description The whole user for callers with `users.manage`, else only the profile: the required fields. Null once deleted. */
        IncludedUser: {
            /**
             * Format: int64
             * @example 2
             */
            id: number;
            /**
             * Format: email
             * @example ada@example.com
             */
            email?: string;
            /** @example Ada */
            first_name: string | null;
            /** @example Lovelace */
            last_name: string | null;
            /** @example ada */
            username: string | null;
            /** @example +44 20 7946 0958 */
            phone?: string | null;
            /** @example 12 St James's Square, London */
            address?: string | null;
            /**
             * @description ISO 3166-1 numeric code; see GET /countries.
             * @example 826
             */
            country_id?: number | null;
            /**
             * Format: date
             * @description YYYY-MM-DD, not in the future.
             * @example 1990-12-10
             */
            birthday?: string | null;
            /**
             * @description URL of the picture; a default picture if none was set.
             * @example https://users.example.com/avatars/default.svg
             */
            avatar: string;
            /**
             * Format: int64
             * @description See GET /roles.
             * @example 2
             */
            role_id?: number;
            /**
             * @description Unconfirmed: registered, email address not yet confirmed.
             * @example Active
             * @enum {string}
             */
            status?: "Active" | "Unconfirmed" | "Banned";
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            last_login?: string | null;
            /**
             * @description As it was sent.
             * @example 826
             */
            two_factor_country_code?: number | null;
            /**
             * @description Without the country code.
             * @example 2079460958
             */
            two_factor_phone?: string | null;
            /** @description Null if two-factor authentication is off. */
            two_factor_options?: {
                /** @example true */
                enabled: boolean;
                /** @example sms */
                channel: string;
            } | null;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at?: string;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            updated_at?: string;
            role?: components["schemas"]["Role"];
            country?: components["schemas"]["Country"] | null;
        };
        AnnouncementNotifications: {
            /**
             * @example running
             * @enum {string}
             */
            status: "running" | "done" | "cancelled";
            /**
             * @description The users that were active at the start. The other four always add up to it.
             * @example 1200
             */
            total: number;
            /**
             * @description Recipients whose mail has not been sent yet.
             * @example 200
             */
            queued: number;
            /**
             * @description Mails that the mail server has accepted, or that were captured.
             * @example 990
             */
            sent: number;
            /**
             * @description Mails that the mail server refused permanently.
             * @example 2
             */
            failed: number;
            /**
             * @description Users who had unsubscribed, are no longer active, or were skipped by a cancellation.
             * @example 8
             */
            skipped: number;
        };
        Announcement: {
            /**
             * Format: int64
             * @example 2
             */
            id: number;
            /**
             * Format: int64
             * @description Who wrote it.
             * @example 2
             */
            user_id: number;
            /** @example New opening hours */
            title: string;
            /**
             * @description Markdown: CommonMark and tables; HTML in it is shown as text.
             * @example From **Monday** on we open at 8.
             */
            body: string;
            /**
             * @description The body as sanitised HTML.
             * @example <p>From <strong>Monday</strong> on we open at 8.</p>
             */
            parsed_body: string;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            created_at: string;
            /**
             * @description YYYY-MM-DD HH:MM:SS, UTC
             * @example 2026-11-20 10:49:27
             */
            updated_at: string;
            user?: components["schemas"]["IncludedUser"] | null;
            read_state?: {
                /**
                 * @description By the caller.
                 * @example true
                 */
                is_read: boolean;
            };
            notifications?: components["schemas"]["AnnouncementNotifications"] | null;
        };
        CreateAnnouncement: {
            /** @example New opening hours */
            title: string;
            /**
             * @description Markdown: CommonMark and tables; HTML in it is shown as text.
             * @example From **Monday** on we open at 8.
             */
            body: string;
            /**
             * @description Whether every active user gets it by mail; default: false.
             * @example true
             */
            email_notifications?: boolean;
            /**
             * @deprecated
             * @description Used if `email_notifications` is missing.
             * @example true
             */
            email_notification?: boolean;
        };
        PreviewAnnouncement: {
            /**
             * @description Markdown: CommonMark and tables; HTML in it is shown as text.
             * @example From **Monday** on we open at 8.
             */
            body: string;
        };
        AnnouncementPreview: {
            /**
             * @description The body as sanitised HTML.
             * @example <p>From <strong>Monday</strong> on we open at 8.</p>
             */
            parsed_body: string;
        };
        UpdateAnnouncement: {
            /** @example New opening hours */
            title?: string;
            /**
             * @description Markdown: CommonMark and tables; HTML in it is shown as text.
             * @example From **Monday** on we open at 8.
             */
            body?: string;
        };
        AnnouncementRecipients: {
            /**
             * @description The number of users who would get a mail now: the active users without those who unsubscribed.
             * @example 1192
             */
            count: number;
            /**
             * @description The number of active users who have unsubscribed.
             * @example 8
             */
            unsubscribed: number;
        };
        AnnouncementSubscription: {
            /**
             * @description Whether the caller gets announcements by mail.
             * @example false
             */
            subscribed: boolean;
        };
        ReadAnnouncements: {
            /**
             * @description The ids to mark; default: all.
             * @example [
             *       3,
             *       4
             *     ]
             */
            ids?: number[];
        };
        UnreadAnnouncements: {
            /**
             * @description The number of announcements that the caller has not read.
             * @example 0
             */
            unread: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Success = components['schemas']['Success'];
export type ApiError = components['schemas']['ApiError'];
export type ValidationError = components['schemas']['ValidationError'];
export type ListLinks = components['schemas']['ListLinks'];
export type ListMeta = components['schemas']['ListMeta'];
export type Activity = components['schemas']['Activity'];
export type ApiKey = components['schemas']['ApiKey'];
export type IssuedApiKey = components['schemas']['IssuedApiKey'];
export type CreateApiKey = components['schemas']['CreateApiKey'];
export type UpdateApiKey = components['schemas']['UpdateApiKey'];
export type Country = components['schemas']['Country'];
export type Permission = components['schemas']['Permission'];
export type Role = components['schemas']['Role'];
export type CreateRole = components['schemas']['CreateRole'];
export type UpdateRole = components['schemas']['UpdateRole'];
export type CreatePermission = components['schemas']['CreatePermission'];
export type UpdatePermission = components['schemas']['UpdatePermission'];
export type SetRolePermissions = components['schemas']['SetRolePermissions'];
export type User = components['schemas']['User'];
export type CreateUser = components['schemas']['CreateUser'];
export type UpdateUser = components['schemas']['UpdateUser'];
export type ExternalAvatar = components['schemas']['ExternalAvatar'];
export type Job = components['schemas']['Job'];
export type JobError = components['schemas']['JobError'];
export type BulkUsers = components['schemas']['BulkUsers'];
export type Delivery = components['schemas']['Delivery'];
export type Event = components['schemas']['Event'];
export type InviteUser = components['schemas']['InviteUser'];
export type InvitationToken = components['schemas']['InvitationToken'];
export type InvitationPreview = components['schemas']['InvitationPreview'];
export type AcceptInvitation = components['schemas']['AcceptInvitation'];
export type Session = components['schemas']['Session'];
export type UpdateOwnDetails = components['schemas']['UpdateOwnDetails'];
export type UpdateOwnSignIn = components['schemas']['UpdateOwnSignIn'];
export type PermissionName = components['schemas']['PermissionName'];
export type Preferences = components['schemas']['Preferences'];
export type Meta = components['schemas']['Meta'];
export type RemindPassword = components['schemas']['RemindPassword'];
export type ResetLink = components['schemas']['ResetLink'];
export type ResetPreview = components['schemas']['ResetPreview'];
export type ResetPassword = components['schemas']['ResetPassword'];
export type Factor = components['schemas']['Factor'];
export type FactorList = components['schemas']['FactorList'];
export type FactorTurnedOn = components['schemas']['FactorTurnedOn'];
export type SmsTurnedOn = components['schemas']['SmsTurnedOn'];
export type RecoveryCodes = components['schemas']['RecoveryCodes'];
export type ProveAccount = components['schemas']['ProveAccount'];
export type CreateTotp = components['schemas']['CreateTotp'];
export type NewTotp = components['schemas']['NewTotp'];
export type VerifyFactor = components['schemas']['VerifyFactor'];
export type CreatePasskey = components['schemas']['CreatePasskey'];
export type PasskeyCreationOptions = components['schemas']['PasskeyCreationOptions'];
export type Reauthenticate = components['schemas']['Reauthenticate'];
export type ReauthenticationOptions = components['schemas']['ReauthenticationOptions'];
export type ReauthenticationCode = components['schemas']['ReauthenticationCode'];
export type Register = components['schemas']['Register'];
export type RegisterAnswer = components['schemas']['RegisterAnswer'];
export type EmailToken = components['schemas']['EmailToken'];
export type ConfirmEmail = components['schemas']['ConfirmEmail'];
export type ConfirmEmailAnswer = components['schemas']['ConfirmEmailAnswer'];
export type EmailAddress = components['schemas']['EmailAddress'];
export type EmailPreview = components['schemas']['EmailPreview'];
export type SecureAccount = components['schemas']['SecureAccount'];
export type SecureAccountPreview = components['schemas']['SecureAccountPreview'];
export type Login = components['schemas']['Login'];
export type LoginCode = components['schemas']['LoginCode'];
export type LoginChallenge = components['schemas']['LoginChallenge'];
export type PasskeyChallenge = components['schemas']['PasskeyChallenge'];
export type LoginPasskey = components['schemas']['LoginPasskey'];
export type LoginAnswer = components['schemas']['LoginAnswer'];
export type SignIn = components['schemas']['SignIn'];
export type Stats = components['schemas']['Stats'];
export type StreamMessage = components['schemas']['StreamMessage'];
export type EnableTwoFactor = components['schemas']['EnableTwoFactor'];
export type DisableTwoFactor = components['schemas']['DisableTwoFactor'];
export type VerifyTwoFactor = components['schemas']['VerifyTwoFactor'];
export type TokenSent = components['schemas']['TokenSent'];
export type SmsCountry = components['schemas']['SmsCountry'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type CreateWebhook = components['schemas']['CreateWebhook'];
export type UpdateWebhook = components['schemas']['UpdateWebhook'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookAttemptDetails = components['schemas']['WebhookAttemptDetails'];
export type QueuedMessage = components['schemas']['QueuedMessage'];
export type ReplayWebhook = components['schemas']['ReplayWebhook'];
export type WebhookReplay = components['schemas']['WebhookReplay'];
export type EventName = components['schemas']['EventName'];
export type Settings = components['schemas']['Settings'];
export type UpdateSettings = components['schemas']['UpdateSettings'];
export type IncludedUser = components['schemas']['IncludedUser'];
export type AnnouncementNotifications = components['schemas']['AnnouncementNotifications'];
export type Announcement = components['schemas']['Announcement'];
export type CreateAnnouncement = components['schemas']['CreateAnnouncement'];
export type PreviewAnnouncement = components['schemas']['PreviewAnnouncement'];
export type AnnouncementPreview = components['schemas']['AnnouncementPreview'];
export type UpdateAnnouncement = components['schemas']['UpdateAnnouncement'];
export type AnnouncementRecipients = components['schemas']['AnnouncementRecipients'];
export type AnnouncementSubscription = components['schemas']['AnnouncementSubscription'];
export type ReadAnnouncements = components['schemas']['ReadAnnouncements'];
export type UnreadAnnouncements = components['schemas']['UnreadAnnouncements'];
export type $defs = Record<string, never>;
export interface operations {
    uploadAvatar: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: Blob;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    removeAvatar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    setExternalAvatar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExternalAvatar"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    uploadMyAvatar: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: Blob;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    removeMyAvatar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    setMyExternalAvatar: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExternalAvatar"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated: role, country.
                 * @example role,country
                 */
                include?: string;
                /**
                 * @description Comma-separated, minus for descending: id, first_name, last_name, email, updated_at, created_at, last_login, status, username. Default: id.
                 * @example id
                 */
                sort?: string;
                /** @description An id, or several separated by commas. */
                "filter[id]"?: string;
                /** @description A part of the username, first name, last name, both names with a space between them, or email; case and accents are ignored. */
                "filter[search]"?: string;
                /** @description One of Active, Unconfirmed, Banned, in any case, or several separated by commas. */
                "filter[status]"?: string;
                /** @description Exactly this text. */
                "filter[email]"?: string;
                /** @description An id, or several separated by commas. */
                "filter[role_id]"?: string;
                /** @description An id, or several separated by commas. */
                "filter[country_id]"?: string;
                /** @description Before a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means before the day begins. */
                "filter[created_before]"?: string;
                /** @description At or after a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC. */
                "filter[created_from]"?: string;
                /** @description At or before a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means the whole day. */
                "filter[created_to]"?: string;
                /** @description Before a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means before the day begins. */
                "filter[last_login_before]"?: string;
                /** @description At or after a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC. */
                "filter[last_login_from]"?: string;
                /** @description At or before a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means the whole day. */
                "filter[last_login_to]"?: string;
                /** @description When: `never`, or a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means the whole day. */
                "filter[last_login]"?: string;
                /** @description An id, or several separated by commas. */
                "filter[import_id]"?: string;
                /** @description One of on, off and missing: off where the role requires a second factor. */
                "filter[two_factor]"?: string;
                /** @description Which page. Less than 1 is read as 1. */
                page?: number;
                /** @description The number of objects on a page. More than 100 is read as 100, less than 1 as 20. */
                per_page?: number;
                /** @description A `next_cursor` or `prev_cursor` of an earlier answer, to walk the list from there; replaces `page`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"][];
                        links: components["schemas"]["ListLinks"];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUser"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated: role, country.
                 * @example role,country
                 */
                include?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateUser"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    inviteUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteUser"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    sendInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description It conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    sendPasswordReset: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description It conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    sendEmailConfirmation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description It conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    previewInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationToken"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InvitationPreview"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitation"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    importUsers: {
        parameters: {
            query?: {
                /**
                 * @description With 1: say what would happen, and change nothing.
                 * @example 1
                 */
                dry_run?: string;
                /** @description What becomes of a row whose email address has an account: it fails, is skipped, or updates it. */
                on_conflict?: "fail" | "skip" | "update";
                /**
                 * @description With 1: ignore unknown columns.
                 * @example 1
                 */
                ignore_unknown?: string;
                /** @description Mail those without a password an invitation. */
                notify?: "invite";
                /** @description Of Firebase: JSON with algorithm, base64_signer_key, base64_salt_separator, rounds and mem_cost. */
                hash_parameters?: string;
            };
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The file. */
        requestBody: {
            content: {
                "text/csv": string | Blob;
                "application/x-ndjson": string | Blob;
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Job"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    exportUsers: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated, minus for descending: id, first_name, last_name, email, updated_at, created_at, last_login, status, username. Default: id.
                 * @example id
                 */
                sort?: string;
                /** @description An id, or several separated by commas. */
                "filter[id]"?: string;
                /** @description A part of the username, first name, last name, both names with a space between them, or email; case and accents are ignored. */
                "filter[search]"?: string;
                /** @description One of Active, Unconfirmed, Banned, in any case, or several separated by commas. */
                "filter[status]"?: string;
                /** @description Exactly this text. */
                "filter[email]"?: string;
                /** @description An id, or several separated by commas. */
                "filter[role_id]"?: string;
                /** @description An id, or several separated by commas. */
                "filter[country_id]"?: string;
                /** @description Before a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means before the day begins. */
                "filter[created_before]"?: string;
                /** @description At or after a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC. */
                "filter[created_from]"?: string;
                /** @description At or before a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means the whole day. */
                "filter[created_to]"?: string;
                /** @description Before a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means before the day begins. */
                "filter[last_login_before]"?: string;
                /** @description At or after a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC. */
                "filter[last_login_from]"?: string;
                /** @description At or before a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means the whole day. */
                "filter[last_login_to]"?: string;
                /** @description When: `never`, or a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means the whole day. */
                "filter[last_login]"?: string;
                /** @description An id, or several separated by commas. */
                "filter[import_id]"?: string;
                /** @description One of on, off and missing: off where the role requires a second factor. */
                "filter[two_factor]"?: string;
                /**
                 * @description The format of the file: csv unless given.
                 * @example csv
                 */
                format?: "csv" | "ndjson";
                /**
                 * @description Comma-separated: id, email, first_name, last_name, username, phone, address, country_id, birthday, role_id, status, avatar, last_login, two_factor_country_code, two_factor_phone, two_factor_options, created_at, updated_at. Default: all of them.
                 * @example id,email
                 */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    changeManyUsers: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkUsers"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Job"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Password reset is switched off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost, or another number of users matches. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    undoJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Job"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost, or it was taken back already (unless that left somebody out), or the job can not be. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated, minus for descending: id, created_at. Default: -id.
                 * @example -id
                 */
                sort?: string;
                /** @description An id, or several separated by commas. */
                "filter[actor]"?: string;
                /** @description Exactly this text. */
                "filter[event]"?: string;
                /** @description Exactly this text. */
                "filter[subject_type]"?: string;
                /** @description An id, or several separated by commas. */
                "filter[subject_id]"?: string;
                /** @description Exactly this text. */
                "filter[request_id]"?: string;
                /** @description At or after a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC. */
                "filter[from]"?: string;
                /** @description At or before a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means the whole day. */
                "filter[to]"?: string;
                /** @description Which page. Less than 1 is read as 1. */
                page?: number;
                /** @description The number of objects on a page. More than 100 is read as 100, less than 1 as 20. */
                per_page?: number;
                /** @description A `next_cursor` or `prev_cursor` of an earlier answer, to walk the list from there; replaces `page`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Activity"][];
                        links: components["schemas"]["ListLinks"];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    exportActivity: {
        parameters: {
            query?: {
                /** @description An id, or several separated by commas. */
                "filter[actor]"?: string;
                /** @description Exactly this text. */
                "filter[event]"?: string;
                /** @description Exactly this text. */
                "filter[subject_type]"?: string;
                /** @description An id, or several separated by commas. */
                "filter[subject_id]"?: string;
                /** @description Exactly this text. */
                "filter[request_id]"?: string;
                /** @description At or after a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC. */
                "filter[from]"?: string;
                /** @description At or before a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means the whole day. */
                "filter[to]"?: string;
                /** @description The form of the lines. */
                format?: "ndjson" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listUserActivity: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated, minus for descending: id, created_at. Default: -id.
                 * @example -id
                 */
                sort?: string;
                /** @description An id, or several separated by commas. */
                "filter[actor]"?: string;
                /** @description Exactly this text. */
                "filter[event]"?: string;
                /** @description Exactly this text. */
                "filter[subject_type]"?: string;
                /** @description An id, or several separated by commas. */
                "filter[subject_id]"?: string;
                /** @description Exactly this text. */
                "filter[request_id]"?: string;
                /** @description At or after a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC. */
                "filter[from]"?: string;
                /** @description At or before a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means the whole day. */
                "filter[to]"?: string;
                /** @description Which page. Less than 1 is read as 1. */
                page?: number;
                /** @description The number of objects on a page. More than 100 is read as 100, less than 1 as 20. */
                per_page?: number;
                /** @description A `next_cursor` or `prev_cursor` of an earlier answer, to walk the list from there; replaces `page`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Activity"][];
                        links: components["schemas"]["ListLinks"];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listRoles: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated: permissions, users_count.
                 * @example permissions,users_count
                 */
                include?: string;
                /**
                 * @description Comma-separated, minus for descending: id, name, created_at, updated_at. Default: id.
                 * @example id
                 */
                sort?: string;
                /** @description Exactly this text. */
                "filter[name]"?: string;
                /** @description Which page. Less than 1 is read as 1. */
                page?: number;
                /** @description The number of objects on a page. More than 100 is read as 100, less than 1 as 20. */
                per_page?: number;
                /** @description A `next_cursor` or `prev_cursor` of an earlier answer, to walk the list from there; replaces `page`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Role"][];
                        links: components["schemas"]["ListLinks"];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRole"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Role"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getRole: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated: permissions, users_count.
                 * @example permissions,users_count
                 */
                include?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Role"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description It conflicts with the current state. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateRole"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Role"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getRolePermissions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Permission"][];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    setRolePermissions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetRolePermissions"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Permission"][];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listPermissions: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated, minus for descending: id, name, created_at, updated_at. Default: id.
                 * @example id
                 */
                sort?: string;
                /** @description Exactly this text. */
                "filter[name]"?: string;
                /** @description Which page. Less than 1 is read as 1. */
                page?: number;
                /** @description The number of objects on a page. More than 100 is read as 100, less than 1 as 20. */
                per_page?: number;
                /** @description A `next_cursor` or `prev_cursor` of an earlier answer, to walk the list from there; replaces `page`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Permission"][];
                        links: components["schemas"]["ListLinks"];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createPermission: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePermission"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Permission"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getPermission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Permission"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deletePermission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updatePermission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdatePermission"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Permission"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listCountries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Country"][];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated, minus for descending: id, name, created_at, updated_at, last_used_at, expires_at. Default: id.
                 * @example id
                 */
                sort?: string;
                /** @description An id, or several separated by commas. */
                "filter[id]"?: string;
                /** @description An id, or several separated by commas. */
                "filter[user_id]"?: string;
                /** @description A substring of the text, in any case. */
                "filter[search]"?: string;
                /** @description Which page. Less than 1 is read as 1. */
                page?: number;
                /** @description The number of objects on a page. More than 100 is read as 100, less than 1 as 20. */
                per_page?: number;
                /** @description A `next_cursor` or `prev_cursor` of an earlier answer, to walk the list from there; replaces `page`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        links: components["schemas"]["ListLinks"];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IssuedApiKey"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateApiKey"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["IssuedApiKey"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Login"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The account is banned or not confirmed, or a page of another site asks for the cookie. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    signInWithCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginCode"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The account is banned or not confirmed, or a page of another site asks for the cookie. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    sendSignInCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginChallenge"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    startPasskeySignIn: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyChallenge"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginPasskey"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginAnswer"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The account is banned or not confirmed, or a page of another site asks for the cookie. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listUserSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"][];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    endUserSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session that is meant. */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the session that is meant. */
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Settings"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSettings"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Settings"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated, minus for descending: id, created_at, recipient. Default: -id.
                 * @example -id
                 */
                sort?: string;
                /** @description One of mail, sms, in any case, or several separated by commas. */
                "filter[kind]"?: string;
                /** @description One of queued, sending, sent, failed, captured, in any case, or several separated by commas. */
                "filter[status]"?: string;
                /** @description Exactly this text. */
                "filter[recipient]"?: string;
                /** @description Exactly this text. */
                "filter[template]"?: string;
                /** @description At or after a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC. */
                "filter[from]"?: string;
                /** @description At or before a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means the whole day. */
                "filter[to]"?: string;
                /** @description Which page. Less than 1 is read as 1. */
                page?: number;
                /** @description The number of objects on a page. More than 100 is read as 100, less than 1 as 20. */
                per_page?: number;
                /** @description A `next_cursor` or `prev_cursor` of an earlier answer, to walk the list from there; replaces `page`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"][];
                        links: components["schemas"]["ListLinks"];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    previewDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    sendTestMail: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description It conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated: role, country.
                 * @example role,country
                 */
                include?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getMyPermissions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PermissionName"][];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getMyPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Preferences"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    setMyPreferences: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Preferences"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Preferences"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateMyDetails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOwnDetails"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateMySignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateOwnSignIn"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listMySessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"][];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    endMySessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getMeta: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Meta"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Stats"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated, minus for descending: id, created_at. Default: -id.
                 * @example -id
                 */
                sort?: string;
                /** @description One of users.import, users.bulk, users.undo, in any case, or several separated by commas. */
                "filter[type]"?: string;
                /** @description One of queued, running, done, failed, cancelled, in any case, or several separated by commas. */
                "filter[status]"?: string;
                /** @description An id, or several separated by commas. */
                "filter[created_by]"?: string;
                /** @description Which page. Less than 1 is read as 1. */
                page?: number;
                /** @description The number of objects on a page. More than 100 is read as 100, less than 1 as 20. */
                per_page?: number;
                /** @description A `next_cursor` or `prev_cursor` of an earlier answer, to walk the list from there; replaces `page`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Job"][];
                        links: components["schemas"]["ListLinks"];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Job"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The job has ended. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listJobErrors: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated, minus for descending: id. Default: id.
                 * @example id
                 */
                sort?: string;
                /** @description Exactly this text. */
                "filter[code]"?: string;
                /** @description Exactly this text. */
                "filter[field]"?: string;
                /** @description Which page. Less than 1 is read as 1. */
                page?: number;
                /** @description The number of objects on a page. More than 100 is read as 100, less than 1 as 20. */
                per_page?: number;
                /** @description A `next_cursor` or `prev_cursor` of an earlier answer, to walk the list from there; replaces `page`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["JobError"][];
                        links: components["schemas"]["ListLinks"];
                        meta: components["schemas"]["ListMeta"];
                    };
                    "text/csv": string;
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    streamMyEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the last event that you have: what came after it is sent first. */
                "Last-Event-ID"?: number;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StreamMessage"][];
                        meta: {
                            /**
                             * @description Send this as `Last-Event-ID` next time.
                             * @example 17
                             */
                            last_event_id: number;
                            /** @description True if too much has happened since: reload everything. */
                            reset: boolean;
                        };
                    };
                    "text/event-stream": string;
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    readEvents: {
        parameters: {
            query?: {
                /**
                 * @description A cursor of an earlier answer.
                 * @example 0.VxlU2QMgxE82
                 */
                after?: string;
                /** @description Begin with this many of the latest events, at most 100, instead of the oldest; without `after`. */
                last?: string;
                /**
                 * @description Names of events, comma-separated; also `user.*`.
                 * @example user.created,user.deleted
                 */
                types?: string;
                /**
                 * @description How many seconds to wait for the next event if there is none, at most 30.
                 * @example 30
                 */
                wait?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Event"][];
                        meta: {
                            /**
                             * @description Send this as `after` next time.
                             * @example 0.VxlU2QMgxE82
                             */
                            next_cursor: string;
                            /**
                             * @description Of each event, to go on after it where a reader stops in between.
                             * @example [
                             *       "1.SRB5VsQvYYI6"
                             *     ]
                             */
                            cursors: string[];
                        };
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated, minus for descending: id, created_at. Default: id.
                 * @example id
                 */
                sort?: string;
                /** @description One of on, failing, off, in any case, or several separated by commas. */
                "filter[status]"?: string;
                /** @description At or after a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC. */
                "filter[from]"?: string;
                /** @description At or before a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means the whole day. */
                "filter[to]"?: string;
                /** @description Which page. Less than 1 is read as 1. */
                page?: number;
                /** @description The number of objects on a page. More than 100 is read as 100, less than 1 as 20. */
                per_page?: number;
                /** @description A `next_cursor` or `prev_cursor` of an earlier answer, to walk the list from there; replaces `page`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                        links: components["schemas"]["ListLinks"];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWebhook"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Webhook"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    rotateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookWithSecret"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["QueuedMessage"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description It conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listWebhookAttempts: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated, minus for descending: id. Default: -id.
                 * @example -id
                 */
                sort?: string;
                /** @description Exactly this text. */
                "filter[type]"?: string;
                /** @description Takes true or false. */
                "filter[success]"?: string;
                /** @description At or after a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC. */
                "filter[from]"?: string;
                /** @description At or before a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means the whole day. */
                "filter[to]"?: string;
                /** @description Which page. Less than 1 is read as 1. */
                page?: number;
                /** @description The number of objects on a page. More than 100 is read as 100, less than 1 as 20. */
                per_page?: number;
                /** @description A `next_cursor` or `prev_cursor` of an earlier answer, to walk the list from there; replaces `page`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookAttempt"][];
                        links: components["schemas"]["ListLinks"];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getWebhookAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
                /**
                 * @description The id of the attempt that is meant.
                 * @example 2
                 */
                attempt: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookAttemptDetails"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    retryWebhookAttempt: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
                /**
                 * @description The id of the attempt that is meant.
                 * @example 2
                 */
                attempt: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["QueuedMessage"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description It conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayWebhook"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookReplay"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    registerAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Register"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisterAnswer"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Registration is switched off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    confirmEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmEmail"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmEmailAnswer"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description A page of another site asks for the cookie. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    previewEmailConfirmation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailToken"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EmailPreview"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    resendEmailConfirmation: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailAddress"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    remindPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RemindPassword"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Password reset is switched off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPassword"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Password reset is switched off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    previewPasswordReset: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetLink"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ResetPreview"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Password reset is switched off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    enableTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnableTwoFactor"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenSent"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object, or two-factor authentication is switched off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    disableTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DisableTwoFactor"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    verifyTwoFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyTwoFactor"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object, or two-factor authentication is switched off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listSmsCountries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SmsCountry"][];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    enableMyTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnableTwoFactor"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenSent"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Two-factor authentication is switched off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    disableMyTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DisableTwoFactor"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    verifyMyTwoFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyTwoFactor"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmsTurnedOn"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Two-factor authentication is switched off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listMyFactors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactorList"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    removeMyFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the factor that is meant.
                 * @example 2
                 */
                factor: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProveAccount"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createMyTotp: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateTotp"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NewTotp"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Two-factor authentication is switched off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    verifyMyTotp: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the factor that is meant.
                 * @example 2
                 */
                factor: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyFactor"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactorTurnedOn"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object, or two-factor authentication is switched off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    startMyPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProveAccount"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreationOptions"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Two-factor authentication is switched off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createMyPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePasskey"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactorTurnedOn"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Two-factor authentication is switched off. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    renewMyRecoveryCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProveAccount"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listFactors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactorList"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    removeFactor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
                /**
                 * @description The id of the factor that is meant.
                 * @example 2
                 */
                factor: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProveAccount"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    reauthenticateMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Reauthenticate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: it conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    startReauthentication: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReauthenticationOptions"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description It conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    sendReauthenticationCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReauthenticationCode"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description It conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    previewSecureAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecureAccount"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SecureAccountPreview"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    secureAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecureAccount"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listMySignIns: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated, minus for descending: id, created_at. Default: -id.
                 * @example -id
                 */
                sort?: string;
                /** @description Takes true or false. */
                "filter[success]"?: string;
                /** @description At or after a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC. */
                "filter[from]"?: string;
                /** @description At or before a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means the whole day. */
                "filter[to]"?: string;
                /** @description Which page. Less than 1 is read as 1. */
                page?: number;
                /** @description The number of objects on a page. More than 100 is read as 100, less than 1 as 20. */
                per_page?: number;
                /** @description A `next_cursor` or `prev_cursor` of an earlier answer, to walk the list from there; replaces `page`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignIn"][];
                        links: components["schemas"]["ListLinks"];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listUserSignIns: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated, minus for descending: id, created_at. Default: -id.
                 * @example -id
                 */
                sort?: string;
                /** @description Takes true or false. */
                "filter[success]"?: string;
                /** @description At or after a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC. */
                "filter[from]"?: string;
                /** @description At or before a date YYYY-MM-DD or a timestamp YYYY-MM-DD HH:MM:SS, UTC; a date means the whole day. */
                "filter[to]"?: string;
                /** @description Which page. Less than 1 is read as 1. */
                page?: number;
                /** @description The number of objects on a page. More than 100 is read as 100, less than 1 as 20. */
                per_page?: number;
                /** @description A `next_cursor` or `prev_cursor` of an earlier answer, to walk the list from there; replaces `page`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignIn"][];
                        links: components["schemas"]["ListLinks"];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listAnnouncements: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated: user, read_state, notifications.
                 * @example user,read_state,notifications
                 */
                include?: string;
                /**
                 * @description Comma-separated, minus for descending: id, created_at, title. Default: -id.
                 * @example -id
                 */
                sort?: string;
                /** @description A substring of the text, in any case. */
                "filter[title]"?: string;
                /** @description A substring of the text, in any case. */
                "filter[body]"?: string;
                /** @description An id, or several separated by commas. */
                "filter[user]"?: string;
                /** @description Which page. Less than 1 is read as 1. */
                page?: number;
                /** @description The number of objects on a page. More than 100 is read as 100, less than 1 as 20. */
                per_page?: number;
                /** @description A `next_cursor` or `prev_cursor` of an earlier answer, to walk the list from there; replaces `page`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Announcement"][];
                        links: components["schemas"]["ListLinks"];
                        meta: {
                            /**
                             * @description Null with a cursor, like from, last_page and to.
                             * @example 2
                             */
                            current_page: number | null;
                            /** @example 21 */
                            from: number | null;
                            /** @example 3 */
                            last_page: number | null;
                            /** @example https://users.example.com/api/users */
                            path: string;
                            /** @example 20 */
                            per_page: number;
                            /** @example 40 */
                            to: number | null;
                            /**
                             * @description The exact number of objects that match the filter.
                             * @example 57
                             */
                            total: number;
                            /**
                             * @description Null on the last page.
                             * @example WyJmb3J3YXJkIiw0MF0.nT1nFhY4mB0c3vQe
                             */
                            next_cursor: string | null;
                            /**
                             * @description Null on the first page.
                             * @example WyJmb3J3YXJkIiw0MF0.nT1nFhY4mB0c3vQe
                             */
                            prev_cursor: string | null;
                            /**
                             * @description The number of announcements that the caller has not read.
                             * @example 2
                             */
                            unread: number;
                        };
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    createAnnouncement: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAnnouncement"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Announcement"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    previewAnnouncement: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewAnnouncement"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnnouncementPreview"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getAnnouncement: {
        parameters: {
            query?: {
                /**
                 * @description Comma-separated: user, read_state, notifications.
                 * @example user,read_state,notifications
                 */
                include?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Announcement"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    deleteAnnouncement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    updateAnnouncement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateAnnouncement"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Announcement"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getAnnouncementRecipients: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnnouncementRecipients"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getAnnouncementNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnnouncementNotifications"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    startAnnouncementNotifications: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnnouncementNotifications"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description It conflicts with the current state, or the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    cancelAnnouncementNotifications: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the object.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnnouncementNotifications"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    showUnsubscribePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the token that is meant. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    unsubscribeByLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the token that is meant. */
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No such object. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getAnnouncementSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnnouncementSubscription"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    setAnnouncementSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnouncementSubscription"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AnnouncementSubscription"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    readAnnouncements: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique text for this request. If the same request is sent again within 24 hours, it gets the first answer and is not carried out again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReadAnnouncements"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UnreadAnnouncements"];
                    };
                };
            };
            /** @description Malformed request. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description No valid credential. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Not permitted. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body took too long to arrive. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The first request with this Idempotency-Key is running, or its answer was lost. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The body is not JSON or a form. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description Every failing field with its error messages. Without `errors`: the Idempotency-Key was used for another request. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationError"] | components["schemas"]["ApiError"];
                };
            };
            /** @description Too many requests. `Retry-After` says when to retry. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            /** @description The database is unavailable or the server is overloaded. `Retry-After` says when to retry. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
}

/** The codes of docs/errors.md, and the client's own. */
export type ErrorCode =
  | 'account_banned'
  | 'account_password_wrong'
  | 'account_unconfirmed'
  | 'announcements_already_notified'
  | 'api_key_beyond_you'
  | 'api_key_not_yours'
  | 'api_key_owner_not_active'
  | 'avatar_not_a_picture'
  | 'avatar_too_many_pixels'
  | 'avatar_unreadable'
  | 'bulk_count_changed'
  | 'captcha_failed'
  | 'captcha_unavailable'
  | 'current_password_wrong'
  | 'delivery_body_erased'
  | 'delivery_not_waiting'
  | 'email_token_invalid'
  | 'factor_only_way_in'
  | 'forbidden'
  | 'idempotency_answer_lost'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'
  | 'internal_error'
  | 'invalid_credentials'
  | 'invalid_cursor'
  | 'invitation_invalid'
  | 'job_author_demoted'
  | 'job_author_gone'
  | 'job_failed'
  | 'job_finished'
  | 'job_key_expired'
  | 'job_key_limited'
  | 'job_key_revoked'
  | 'job_not_undoable'
  | 'job_restored'
  | 'job_role_gone'
  | 'job_session_ended'
  | 'job_undone'
  | 'malformed_request'
  | 'method_not_allowed'
  | 'no_passkey'
  | 'not_a_session'
  | 'not_found'
  | 'overloaded'
  | 'passkey_invalid'
  | 'password_breached'
  | 'password_is_account_name'
  | 'password_reset_token_invalid'
  | 'password_too_common'
  | 'password_too_easy'
  | 'payload_too_large'
  | 'permission_built_in'
  | 'permission_name_taken'
  | 'phone_number_invalid'
  | 'phone_number_refused'
  | 'reauthentication_required'
  | 'request_timeout'
  | 'role_above_you'
  | 'role_built_in'
  | 'role_name_taken'
  | 'role_of_registration'
  | 'role_of_yours_needs_factor'
  | 'secure_account_token_invalid'
  | 'too_many_attempts'
  | 'too_many_factors'
  | 'two_factor_enabled'
  | 'two_factor_enrolment_required'
  | 'two_factor_not_enabled'
  | 'two_factor_token_invalid'
  | 'unauthenticated'
  | 'unavailable'
  | 'unknown_event_type'
  | 'unknown_filter'
  | 'unknown_include'
  | 'unknown_sort'
  | 'unreadable_answer'
  | 'unsupported_media_type'
  | 'user_above_you'
  | 'user_email_taken'
  | 'user_has_no_password'
  | 'user_is_banned'
  | 'user_is_yourself'
  | 'user_last_admin'
  | 'user_not_waiting'
  | 'user_username_taken'
  | 'username_mixes_scripts'
  | 'username_not_your_address'
  | 'validation_failed'
  | 'webhook_disabled'
  | 'webhook_event_gone';
