/**
 * Saves an edited version only if nobody else has saved since the edit began. Otherwise nothing is
 * written. The newer version is loaded, and the user accepts it or reapplies the changes to it.
 */
import type { Json } from '@proofmark/domain';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isStale } from '../data/is-stale.ts';
import { notify } from '../notice.tsx';
import { type IsSet, jsonChanges } from './json-changes.ts';

export interface VersionRules<Saved, Version> {
  readonly versionOf: (saved: Saved) => Version;
  readonly comparable: (version: Version) => Json;
  readonly isSet: IsSet;
  readonly reapply: (base: Version, theirs: Version, mine: Version) => Version;
  readonly save: (version: Version, base: Saved) => Promise<Saved>;
  readonly readAgain: () => Promise<Saved>;
  readonly keep: (saved: Saved) => void;
}

export function useVersioned<Saved, Version>(
  start: Saved,
  rules: VersionRules<Saved, Version>,
  onVersion: (version: Version) => void,
) {
  const [base, setBase] = useState(start);
  const [reviewing, setReviewing] = useState<Version>();
  const [conflict, setConflict] = useState<{ theirs: Saved; mine: Version }>();
  const changesTo = (version: Version, from = base) =>
    jsonChanges(rules.comparable(rules.versionOf(from)), rules.comparable(version), rules.isSet);
  const show = (version: Version, from = base) => {
    const hasChanges = changesTo(version, from).length > 0;
    setReviewing(hasChanges ? version : undefined);
    if (!hasChanges) notify('Nothing was changed.');
  };
  const settle = (saved: Saved, version = rules.versionOf(saved)) => {
    setBase(saved);
    setConflict(undefined);
    onVersion(version);
    rules.keep(saved);
  };
  const saving = useMutation({
    mutationFn: async (version: Version) => {
      try {
        return { saved: await rules.save(version, base) };
      } catch (error) {
        if (!isStale(error)) throw error;
        return { theirs: await rules.readAgain() };
      }
    },
    onSuccess: (outcome, mine) => {
      setReviewing(undefined);
      if ('theirs' in outcome) return setConflict({ theirs: outcome.theirs, mine });
      settle(outcome.saved);
      notify('Saved.');
    },
    // Closes the review, so that the form can show the error beside its field.
    onError: () => setReviewing(undefined),
  });
  return {
    base,
    reviewing,
    conflict,
    error: saving.error,
    isSaving: saving.isPending,
    changesTo,
    review: (version: Version) => {
      saving.reset();
      show(version);
    },
    confirm: () => reviewing !== undefined && saving.mutate(reviewing),
    cancel: () => setReviewing(undefined),
    takeTheirs: () => conflict !== undefined && settle(conflict.theirs),
    reapplyMine: () => {
      if (conflict === undefined) return;
      const { theirs, mine } = conflict;
      const joined = rules.reapply(rules.versionOf(base), rules.versionOf(theirs), mine);
      settle(theirs, joined);
      show(joined, theirs);
    },
  };
}
