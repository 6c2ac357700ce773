/**
 * How much memory a browser holds, over all of its processes, and which of them ends when that is too much. Pages of the
 * program itself lie in every process and once in memory, so that a process counts what it has mapped of files only
 * beyond the size of a program.
 */
import { bytesText } from '../health/health-words.ts';

export interface ProcessMemory {
  readonly pid: number;
  /** Whether it shows pages, and nothing but a page ends with it. */
  readonly isRenderer: boolean;
  readonly anonymousBytes: number;
  readonly sharedBytes: number;
  readonly fileBytes: number;
}

export const defaultWidgetMemoryMb = 2048;
const programBytes = 256 * 1024 * 1024;

export function memoryOf({ anonymousBytes, sharedBytes, fileBytes }: ProcessMemory): number {
  return anonymousBytes + sharedBytes + Math.max(0, fileBytes - programBytes);
}

/** Nothing while the processes are within the bound. A process that shows no page takes the whole browser with it. */
export function tooMuchMemory(
  processes: readonly ProcessMemory[],
  boundBytes: number,
): { readonly totalBytes: number; readonly endRenderer: number | undefined } | undefined {
  const totalBytes = processes.reduce((sum, one) => sum + memoryOf(one), 0);
  if (totalBytes <= boundBytes) return undefined;
  const [largest] = [...processes].sort((a, b) => memoryOf(b) - memoryOf(a));
  return { totalBytes, endRenderer: largest?.isRenderer === true ? largest.pid : undefined };
}

export function tooMuchMemoryText(totalBytes: number, boundBytes: number): string {
  return `The widget grew its browser to ${bytesText(totalBytes)} of memory; at most ${bytesText(boundBytes)} are allowed.`;
}
