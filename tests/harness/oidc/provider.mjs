/**
 * A real OpenID provider for the tests: `node provider.mjs ‹port› ‹redirect uri› ‹people as JSON›`. Its keys are new at each start; whoever types a login is that person.
 */
import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";

const [port, redirect, people] = process.argv.slice(2);
const known = JSON.parse(people);
const issuer = `http://127.0.0.1:${port}`;
const { privateKey } = await generateKeyPair("RS256", { extractable: true });
const key = { ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: crypto.randomUUID() };
const claimsOf = (sub) => ({ sub, ...known[sub] });

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "holdfast",
      token_endpoint_auth_method: "none",
      redirect_uris: [redirect],
      grant_types: ["authorization_code"],
      response_types: ["code"],
    },
  ],
  jwks: { keys: [key] },
  cookies: { keys: ["a test's own"] },
  claims: { openid: ["sub"], profile: ["name", "preferred_username", "groups", "org"], email: ["email", "email_verified"] },
  conformIdTokenClaims: false,
  findAccount: (_, sub) => (sub in known ? { accountId: sub, claims: () => claimsOf(sub) } : undefined),
  extraTokenClaims: (_, token) => claimsOf(token.accountId),
  pkce: { required: () => true },
  ttl: { AccessToken: 300, IdToken: 300, Grant: 300, Session: 300, Interaction: 300 },
  features: {
    resourceIndicators: {
      enabled: true,
      defaultResource: () => "urn:holdfast",
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({ scope: "openid", audience: "holdfast", accessTokenFormat: "jwt", jwt: { sign: { alg: "RS256" } } }),
    },
  },
});

createServer(provider.callback()).listen(Number(port), "127.0.0.1", () => console.log("listening"));
