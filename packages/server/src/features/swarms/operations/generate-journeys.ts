import { draftJourneys, readJourneyAnswer, writeJourneyRequest } from '@proofmark/domain';
import type { Action } from '../../../platform/operations/action.ts';
import type { EvalsParts } from '../../evals/index.ts';
import { draftFromTools } from './draft-from-tools.ts';
import { presentJourneyDraft } from './present-drafts.ts';

export const generateJourneys: Action<'generateJourneys', EvalsParts> = async (
  context,
  { body },
) => {
  const { environmentId, serverAttachmentId, persona, ...stated } = body;
  const { notes, ...named } = persona;
  const options = { ...stated, persona: { ...named, ...(notes !== undefined && { notes }) } };
  const { generationModel, drafts } = await draftFromTools(
    context,
    { environmentId, serverAttachmentId },
    (tools) => ({
      what: 'journeys',
      byRules: () => draftJourneys(tools, options.journeyCount),
      request: () => writeJourneyRequest(tools, options),
      read: (text) => readJourneyAnswer(text, tools, options),
    }),
  );
  return { generationModel, journeys: drafts.map(presentJourneyDraft) };
};
