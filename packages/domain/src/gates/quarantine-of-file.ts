/**
 * The quarantine in a suite file. A day counts to its end, in UTC. An entry that expired or whose
 * case the file lacks can be read, since the gate names it; an entry that ends too late, that is
 * stated twice, or that is one too many cannot.
 */
import * as z from 'zod';
import type { ValueProblem } from '../kernel/check-value.ts';
import {
  isQuarantineOverfull,
  maxQuarantineDays,
  maxQuarantineOwnerLength,
  maxQuarantineReasonLength,
  mostQuarantined,
  type StatedQuarantine,
} from './quarantine-entry.ts';

const dayMs = 86_400_000;

const stated = (max: number) =>
  z
    .string()
    .max(max)
    .refine((given) => given.trim() !== '', { error: 'This must not be blank.' });

export const FileQuarantineEntry = z.strictObject({
  case: stated(128),
  model: stated(200).optional(),
  owner: stated(maxQuarantineOwnerLength),
  reason: stated(maxQuarantineReasonLength),
  expires: z.string().refine((day) => dayOf(day) !== undefined, {
    error: 'expires must be a day, such as "2026-12-10".',
  }),
});
export type FileQuarantineEntry = z.infer<typeof FileQuarantineEntry>;

export function quarantineFromFile(entry: FileQuarantineEntry): StatedQuarantine {
  const { case: caseId, model = null, owner, reason, expires } = entry;
  return { caseId, model, owner, reason, expiresAt: (dayOf(expires) ?? 0) + dayMs };
}

export function quarantineToFile(entry: StatedQuarantine): FileQuarantineEntry {
  const { caseId, model, owner, reason, expiresAt } = entry;
  return {
    case: caseId,
    ...(model !== null && { model }),
    owner,
    reason,
    expires: new Date(expiresAt - 1).toISOString().slice(0, 10),
  };
}

export interface FileWithQuarantine {
  readonly quarantine?: readonly FileQuarantineEntry[] | undefined;
  readonly cases: readonly { readonly id: string }[];
  readonly defaults: { readonly quarantineShare?: number | undefined };
}

/** Returns what only the clock and the cases of the file show to be wrong. */
export function quarantineProblemOfFile(
  { quarantine = [], cases, defaults }: FileWithQuarantine,
  nowMs: number,
): ValueProblem | undefined {
  const entries = quarantine.map(quarantineFromFile);
  const late = entries.findIndex(
    ({ expiresAt }) => expiresAt - dayMs > nowMs + maxQuarantineDays * dayMs,
  );
  if (late >= 0) {
    const message = `An entry of the quarantine must end at most ${maxQuarantineDays} days from now.`;
    return { path: ['quarantine', late, 'expires'], message };
  }
  const keys = entries.map(({ caseId, model }) => JSON.stringify([caseId, model]));
  const twice = keys.findIndex((key, at) => keys.indexOf(key) < at);
  if (twice >= 0) {
    const message = 'The quarantine names this case variant twice; delete one of the entries.';
    return { path: ['quarantine', twice, 'case'], message };
  }
  const most = mostQuarantined(cases.length, defaults.quarantineShare);
  const ids = new Set(cases.map(({ id }) => id));
  const hasCase = (caseId: string) => ids.has(caseId);
  if (!isQuarantineOverfull(entries, { most, nowMs, hasCase })) return undefined;
  const message = `The quarantine of a suite of ${cases.length} cases may hold at most ${most} of them; repair a case, or raise defaults.quarantineShare.`;
  return { path: ['quarantine'], message };
}

/** Returns the beginning of a day in UTC; undefined if there is no such day. */
function dayOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const at = Date.parse(`${text}T00:00:00Z`);
  // Date.parse takes the 30th of February for the 2nd of March.
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
  return isDay ? at : undefined;
}
