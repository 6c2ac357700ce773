import type { TrialDependencies } from '../trial-dependencies.ts';

/** Returns the recorded models. No request is sent, so a model need not be offered any more. */
export function modelOfRecorded({
  modelOf,
}: Pick<TrialDependencies, 'modelOf'>): TrialDependencies['modelOf'] {
  return (variant) => {
    try {
      return modelOf(variant);
    } catch {
      const slash = variant.model.indexOf('/');
      const provider = variant.provider ?? (slash > 0 ? variant.model.slice(0, slash) : '');
      const isNamed = variant.model.startsWith(`${provider}/`);
      const name = isNamed ? variant.model.slice(provider.length + 1) : variant.model;
      return { model: { hosted: false, provider, name } };
    }
  };
}
