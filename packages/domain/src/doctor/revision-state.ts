/**
 * The state of one revision: `spoken` if the server answers at it and breaks no rule, `refused` if
 * the server does not speak it, else `broken`. No state changes the status of an examination.
 */
import { count } from '../words/sentence.ts';
import { type Era, eraOf, type ProtocolRevision } from './protocol-revisions.ts';
import {
  type RevisionProblem,
  refusalProblems,
  revisionProblems,
  type SeenAtRevision,
  type SeenRefusal,
  unsupportedVersion,
} from './revision-problems.ts';

export const revisionStates = ['spoken', 'refused', 'broken'] as const;
export type RevisionState = (typeof revisionStates)[number];

export interface RevisionFinding {
  readonly revision: ProtocolRevision;
  readonly era: Era;
  readonly state: RevisionState;
  readonly detail: string;
  readonly problems: readonly RevisionProblem[];
}

export type SeenRevision =
  /** `failure`: why something that the server offers could not be read. */
  | {
      readonly kind: 'opened';
      readonly seen: SeenAtRevision;
      readonly failure?: string | undefined;
    }
  | {
      /** `refused` if the server said that it does not speak the revision, else `failed`. */
      readonly kind: 'refused' | 'failed';
      readonly detail: string;
      /** Present if the server answered with an error. */
      readonly refusal?: SeenRefusal | undefined;
    };

/** `isModernServer` states whether the server speaks any modern revision. */
export function revisionFinding(
  revision: ProtocolRevision,
  seen: SeenRevision,
  isModernServer: boolean,
): RevisionFinding {
  const of = { revision, era: eraOf(revision) };
  if (seen.kind === 'opened') {
    const problems = revisionProblems(seen.seen);
    const isSpoken = problems.length === 0 && seen.failure === undefined;
    const breaks = `It answers, but breaks ${count(problems.length, 'rule')}.`;
    const detail = seen.failure ?? (isSpoken ? spokenDetail(seen.seen) : breaks);
    return { ...of, state: isSpoken ? 'spoken' : 'broken', detail, problems };
  }
  const { detail, refusal } = seen;
  // A server of the modern era refuses the older handshake by any error.
  const isRefused =
    seen.kind === 'refused' ||
    (isModernServer && of.era === 'legacy' && refusal?.code !== undefined);
  if (!isRefused) return { ...of, state: 'broken', detail, problems: [] };
  // Servers of the legacy era do not know the prescribed refusal. Only a server that uses its code
  // must then keep its form.
  const isBound = isModernServer || refusal?.code === unsupportedVersion;
  const problems = isBound && refusal !== undefined ? refusalProblems(refusal) : [];
  return { ...of, state: 'refused', detail, problems };
}

function spokenDetail({ tools }: SeenAtRevision): string {
  return tools === undefined ? 'It answers.' : `It answers with ${count(tools.length, 'tool')}.`;
}
