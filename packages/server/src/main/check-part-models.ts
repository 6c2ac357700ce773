/**
 * Checks the configured models of the agent, the drafter, the narrator and the judge. A model that
 * can never be used stops the start. A model that no provider offers yet only causes a warning,
 * because `admin model` can add it at any time. Until then, requests that need it are rejected.
 */
import { isBuiltInModel, lexicalModelId } from '@proofmark/domain';
import { defaultPartModels } from '../features/models/part-models.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';
import { variable } from './spending-settings.ts';

export function checkPartModels(
  settings: Pick<Settings, 'agentModel' | 'generationModel' | 'insightsModel' | 'judgeModel'>,
  hosted: readonly string[],
): string[] {
  const parts = [
    { name: 'insightsModel', builtIn: [defaultPartModels.insights, 'off'] },
    { name: 'agentModel', builtIn: [defaultPartModels.agent, 'off'] },
    { name: 'generationModel', builtIn: [defaultPartModels.generation] },
    { name: 'judgeModel', builtIn: [] },
  ] as const;
  return parts.flatMap(({ name, builtIn }) => {
    const model = settings[name];
    const known: string[] = [...builtIn, lexicalModelId, ...hosted];
    if (model === null || known.includes(model)) return [];
    const named = `${variable(name)} (${name}) is ${model}`;
    if (isBuiltInModel(model) || !/^[^/\s]+\/\S/.test(model)) {
      const others = [...new Set(known)].join(', ');
      throw new BadSetting(
        `${named}, which is neither one of ${others}, nor of the form provider/model.`,
      );
    }
    return [`${named}, which no provider offers here; add it with \`proofmark admin model set\`.`];
  });
}
