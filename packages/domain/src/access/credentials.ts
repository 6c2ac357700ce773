/**
 * The format is `sk_`, then 32 random characters, then a checksum of 10 characters. Both parts
 * consist of letters and digits.
 */
export const apiKeyPattern = /^sk_[A-Za-z0-9]{42}$/;

export const shortestPassword = 12;
export const longestPassword = 256;

export function passwordProblem(password: string, email: string): string | undefined {
  if (password.length < shortestPassword) {
    return `A password needs at least ${shortestPassword} characters.`;
  }
  if (password.length > longestPassword) {
    return `A password can have at most ${longestPassword} characters.`;
  }
  if (normalizeEmail(password) === normalizeEmail(email)) {
    return 'The password must differ from the e-mail address.';
  }
  return undefined;
}

/** Converts an email address to lower case, because people type the same address in either case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Control and format characters are rejected, because email addresses are printed in terminals and
 * lists.
 */
export function isEmail(text: string, longest = 254): boolean {
  return text.length <= longest && /^[^\s@<>\p{Cc}\p{Cf}]+@[^\s@<>\p{Cc}\p{Cf}]+$/u.test(text);
}

/** Maximum lifetime of a session. Each use renews a session, but never beyond this limit. */
export const sessionLifetimeMs = 14 * 24 * 60 * 60 * 1000;
export const signInLinkLifetimeMs = 60 * 60 * 1000;

/**
 * These lifetimes are long. An admin sends the links to people who may read them a day later or
 * after the weekend.
 */
export const resetLinkLifetimeMs = 24 * 60 * 60 * 1000;
export const invitationLifetimeMs = 7 * 24 * 60 * 60 * 1000;
