import { printLine } from '../../output.ts';

export function printKey(key: string): void {
  printLine(`  ${key}`);
  printLine('  This is shown once. Keep it where your secrets live.');
}
