import { InvalidArgumentError } from 'commander';

/** Parses a whole number of at least 1. The service checks the upper limit. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a number of 1 or more.');
  return Number(text);
}
