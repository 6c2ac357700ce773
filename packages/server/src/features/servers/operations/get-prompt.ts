import type { OutputOf } from '@proofmark/contract';
import type { Action } from '../../../platform/operations/action.ts';
import type { ServersParts } from '../servers-context.ts';
import { speakToServer } from './speak-to-server.ts';

export const getPrompt: Action<'getPrompt', ServersParts> = async (context, { params, body }) => {
  const written = Object.entries(body.arguments ?? {}).map(([name, value]) => [
    name,
    String(value),
  ]);
  return (await speakToServer(context, { params, body }, (session) =>
    session.getPrompt(body.promptName, Object.fromEntries(written)),
  )) as OutputOf<'getPrompt'>;
};
