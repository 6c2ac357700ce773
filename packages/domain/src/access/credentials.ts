/** The outer shape of what people and programs sign in with. */

/** A key is `sk_`, 32 characters of chance and 10 of checksum, in letters and digits. */
export const apiKeyPattern = /^sk_[A-Za-z0-9]{42}$/;

export const shortestPassword = 12;
export const longestPassword = 256;

export function passwordProblem(password: string, email: string): string | undefined {
  if (password.length < shortestPassword) {
    return `A password needs at least ${shortestPassword} characters.`;
  }
  if (password.length > longestPassword) {
    return `A password has at most ${longestPassword} characters.`;
  }
  if (normalizeEmail(password) === normalizeEmail(email)) {
    return 'The password must differ from the e-mail address.';
  }
  return undefined;
}

/** Addresses are compared without case; people type them either way. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Addresses are shown at terminals and in lists, so nothing in one may steer what shows it. */
export function isEmail(text: string, longest = 254): boolean {
  return text.length <= longest && /^[^\s@<>\p{Cc}\p{Cf}]+@[^\s@<>\p{Cc}\p{Cf}]+$/u.test(text);
}

/** Sessions slide no further than this; a link is for the next few minutes of one person. */
export const sessionLifetimeMs = 14 * 24 * 60 * 60 * 1000;
export const signInLinkLifetimeMs = 60 * 60 * 1000;

/** These travel from an admin to somebody who may read them tomorrow, or after the weekend. */
export const resetLinkLifetimeMs = 24 * 60 * 60 * 1000;
export const invitationLifetimeMs = 7 * 24 * 60 * 60 * 1000;
