/**
 * The quarantine in a suite file. An entry is valid to the end of its last day, in UTC. A file with
 * an expired entry or a missing case can be read, since the gate reports the entry. An entry that
 * ends too late, is repeated or exceeds the limit is refused.
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

const stated = (max: number, blank = 'This must not be blank.') =>
  z
    .string()
    .max(max)
    .refine((given) => given.trim() !== '', { error: blank });

export const FileQuarantineEntry = z.strictObject({
  case: stated(128),
  model: stated(200).optional(),
  owner: stated(maxQuarantineOwnerLength, 'Name the person who repairs the case.'),
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

/** Finds problems that depend on the clock or on the cases of the file. */
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

/** Returns the start of a day in UTC; undefined if the day does not exist. */
function dayOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const at = Date.parse(`${text}T00:00:00Z`);
  // Date.parse reads 30 February as 2 March.
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
  return isDay ? at : undefined;
}
