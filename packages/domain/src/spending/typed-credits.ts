/** A number of credits as people type it: up to nine digits, and up to six after a point. Nothing where it is none. */
export function readTypedCredits(text: string): number | undefined {
  return /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined;
}
