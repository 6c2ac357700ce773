/**
 * A cause that stopped many trials before their cases were tested: a provider, a server, the
 * network or a shared dependency. The cause is shown once for all of them. Cancelled trials do not
 * count.
 */
import { causeOf, grouped, type StageReason } from '@proofmark/domain';
import type { TrialGroup } from './group-trials.ts';

export const leastTrialsOfCause = 3;

export interface SharedCause {
  readonly group: TrialGroup;
  readonly sentence: string;
}

const causers: Readonly<Partial<Record<StageReason, string>>> = {
  providerError: 'The model provider',
  connectFailed: 'A server that could not be connected to',
  toolsListFailed: 'A server that could not list its tools',
  egressUnverified: 'The network, or a server behind it,',
  setupAborted: 'Something that the trials need',
};

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
