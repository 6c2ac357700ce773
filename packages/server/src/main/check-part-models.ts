/**
 * The models that parts of the service shall ask. What can never be one stops the start. A model that nobody offers as yet
 * may be added with `admin model` at any time, so it is only warned of; whoever uses the part is told until then.
 */
import { isBuiltInModel, lexicalModelId } from '@proofmark/domain';
import { defaultPartModels } from '../features/models/part-models.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';
import { variable } from './spending-settings.ts';

/** Says what to warn of. */
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
      throw new BadSetting(`${named}, which is none of ${others}, nor provider/model.`);
    }
    return [`${named}, which no provider offers here; add it with \`proofmark admin model set\`.`];
  });
}
