import { printLine } from '../../output.ts';

export function printKey(key: string): void {
  printLine(`  ${key}`);
  printLine('  This is shown once. Store it with your secrets.');
}
