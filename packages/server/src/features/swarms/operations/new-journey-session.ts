import { randomBytes } from 'node:crypto';
import { type JourneySnapshot, makeId, type placeOfAttempt } from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import type { SessionToBegin } from '../store/played-sessions.ts';

export function newJourneySession(
  runId: string,
  { journey, persona, personaModel }: JourneySnapshot,
  { target, sessionIndex }: NonNullable<ReturnType<typeof placeOfAttempt>>,
): SessionToBegin {
  const { targetId, hostId, modelId } = target;
  const targetKey = sha256Hex(targetId).slice(0, 8);
  return {
    id: makeId('chatSession', Date.now(), randomBytes(10)),
    chatSessionId: `synth_${runId}_${targetKey}_${sessionIndex}`,
    journeyId: journey.id,
    targetId,
    hostId,
    sessionIndex,
    modelId,
    personaModel,
    personaId: persona.id,
    personaLabel: persona.name,
  };
}
