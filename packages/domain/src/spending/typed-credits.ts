/**
 * Reads a number of credits: up to nine digits, and up to six after a decimal point. Returns
 * undefined for other texts.
 */
export function readTypedCredits(text: string): number | undefined {
  return /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined;
}
