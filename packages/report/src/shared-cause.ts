/**
 * One cause that took many trials down before they came to what their cases ask: a provider, a server, the network, or
 * something that all of them need. Told once, it is not told again for each of them. A trial that somebody stopped was
 * taken down by nobody.
 */
import { causeOf, grouped, type StageReason } from '@proofmark/domain';
import type { TrialGroup } from './group-trials.ts';

export const leastTrialsOfCause = 3;

export interface SharedCause {
  readonly group: TrialGroup;
  /** `The model provider took 40 trials down`, without what exactly went wrong. */
  readonly sentence: string;
}

const causers: Readonly<Partial<Record<StageReason, string>>> = {
  providerError: 'The model provider',
  connectFailed: 'A server that could not be connected to',
  toolsListFailed: 'A server that could not list its tools',
  egressUnverified: 'The network, or a server behind it,',
  setupAborted: 'Something that the trials need',
};

/** Of the groups of trials, the largest with such a cause. */
export function sharedCause(
  groups: readonly TrialGroup[],
  isAll: boolean,
): SharedCause | undefined {
  const [group] = groups
    .filter((one) => one.members.length >= leastTrialsOfCause && causerOf(one) !== undefined)
    .toSorted((one, other) => other.members.length - one.members.length);
  if (group === undefined) return undefined;
  const amount = `${isAll ? '' : 'at least '}${grouped(group.members.length)} trials`;
  return { group, sentence: `${causerOf(group)} took ${amount} down` };
}

function causerOf({ members: [first] }: TrialGroup): string | undefined {
  const { chain, status, observed } = first;
  if (chain.status !== 'verified' || status === 'cancelled' || status === 'skipped') {
    return undefined;
  }
  if (observed?.toolNames !== undefined) return undefined;
  const reason = causeOf(chain.stages);
  return reason === undefined ? undefined : causers[reason];
}
