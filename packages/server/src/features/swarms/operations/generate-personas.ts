import { draftPersonas, readPersonaAnswer, writePersonaRequest } from '@proofmark/domain';
import type { Action } from '../../../platform/operations/action.ts';
import type { EvalsParts } from '../../evals/index.ts';
import { draftFromTools } from './draft-from-tools.ts';
import { presentDrafts } from './present-drafts.ts';

export const generatePersonas: Action<'generatePersonas', EvalsParts> = async (
  context,
  { body },
) => {
  const { environmentId, serverAttachmentId, personaCount, ...stated } = body;
  const options = { ...stated, personaCount: personaCount ?? 1 };
  const { generationModel, drafts } = await draftFromTools(
    context,
    { environmentId, serverAttachmentId },
    (tools) => ({
      what: 'personas',
      byRules: () => draftPersonas(tools, options),
      request: () => writePersonaRequest(tools, options),
      read: (text) => readPersonaAnswer(text, tools, options),
    }),
  );
  if (personaCount !== undefined) return { generationModel, personas: drafts.map(presentDrafts) };
  const [first] = drafts.map(presentDrafts);
  return { generationModel, ...first };
};
