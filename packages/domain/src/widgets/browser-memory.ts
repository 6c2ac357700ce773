/**
 * Computes the memory of a browser over all its processes and picks the process to end if the sum
 * is too large. The browser's program file is mapped in every process but is in memory only once.
 * So mapped files count only beyond the size of that file.
 */
import { bytesText } from '../health/health-words.ts';

export interface ProcessMemory {
  readonly pid: number;
  /** Ending a renderer closes only a page, not the browser. */
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

/**
 * Returns undefined while the memory is within the limit. `endRenderer` is the pid of the largest
 * process if that process is a renderer. If `endRenderer` is undefined, the whole browser must be
 * ended.
 */
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
  return `The browser of the widget used ${bytesText(totalBytes)} of memory; at most ${bytesText(boundBytes)} are allowed.`;
}
