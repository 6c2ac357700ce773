/** The format of the credentials of people and programs. */

/** A key is `sk_`, 32 random characters and a checksum of 10, in letters and digits. */
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

/** Addresses are compared without case, because people type them in either. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Rejects control and format characters, because addresses are printed at terminals and in lists.
 */
export function isEmail(text: string, longest = 254): boolean {
  return text.length <= longest && /^[^\s@<>\p{Cc}\p{Cf}]+@[^\s@<>\p{Cc}\p{Cf}]+$/u.test(text);
}

/**
 * Sliding renewal extends no session beyond this lifetime. A sign-in link is meant for one person
 * within minutes.
 */
export const sessionLifetimeMs = 14 * 24 * 60 * 60 * 1000;
export const signInLinkLifetimeMs = 60 * 60 * 1000;

/** An admin sends these links to people who may read them a day later, or after the weekend. */
export const resetLinkLifetimeMs = 24 * 60 * 60 * 1000;
export const invitationLifetimeMs = 7 * 24 * 60 * 60 * 1000;
