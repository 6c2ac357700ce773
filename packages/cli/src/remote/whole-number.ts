import { InvalidArgumentError } from 'commander';

/** Of a flag; whether it is too large is for the service to say. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a number of 1 or more.');
  return Number(text);
}
