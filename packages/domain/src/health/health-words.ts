/** The terminal and the console show the same texts. */
import type { HealthProblem } from './health.ts';

export const healthProblemWords: Readonly<Record<HealthProblem, string>> = {
  writesRefused:
    'The disk is full: writes are rejected and no trial starts; reading works. Free space on the disk of the database.',
  noWorker:
    'No worker is alive, so runs make no progress. Start proofmark work, or proofmark serve with its worker.',
  workWaits:
    'Work is ready, but no worker takes it. Look at the logs of the workers, or start more of them.',
  silentWorker:
    'A worker is silent. Other workers continue its work; check whether its process hangs or its host is gone.',
  diskNearlyFull: 'The disk is nearly full. Make room before PostgreSQL stops.',
  browserNotStarted:
    'A browser was found but could not be started, so cases about widgets are not graded. The line about widgets says why.',
  browserUnsandboxed:
    'The browser that shows widgets runs without its sandbox. The line about widgets says why, and what to do.',
};

export const workWords: Readonly<Record<string, string>> = {
  'eval-trials': 'Trials',
  'eval-judgements': 'Judgements',
  insights: 'Insights',
};

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export function durationText(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
