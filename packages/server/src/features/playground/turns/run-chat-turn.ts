import {
  isHeldForWriting,
  notFound,
  type TextPiece,
  titleOfChat,
  type VisitLine,
  visitConflicts,
  withoutSecretShapes,
} from '@proofmark/domain';
import { storedProgress } from '../../../conversation/stored-session.ts';
import type { ToolResultPart } from '../../../outside/model/model-gateway.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { payingModels } from '../../../platform/spending/paying-models.ts';
import {
  type PersonTurn,
  runTurn,
  type ShownResult,
  shownToVisitor,
  type TurnBeats,
  type TurnDependencies,
  type TurnErrors,
} from '../../turns/index.ts';
import type { ChatTurnToRun } from '../operations/chat-turn-to-run.ts';
import {
  askForChatCall,
  dropChatTurn,
  readChatHistory,
  resumeChatTurn,
  storeChatTurn,
  writeChatLines,
} from '../store/chat-turns.ts';

export async function runChatTurn(
  dependencies: TurnDependencies,
  beats: TurnBeats,
  turn: ChatTurnToRun,
  send: (line: VisitLine | TextPiece) => void,
): Promise<void> {
  const writeLines = linesWriter(dependencies, turn);
  await runTurn(dependencies, beats, personTurn(dependencies, turn), {
    line(line, all) {
      send(line);
      writeLines(all);
    },
    piece: send,
  });
}

function personTurn(dependencies: TurnDependencies, turn: ChatTurnToRun): PersonTurn {
  const { id, organizationId, projectId, played, creditsPerDay } = turn;
  return {
    id,
    organizationId,
    projectId,
    name: 'a turn of the playground',
    text: turn.text,
    client: played.client,
    modelId: turn.modelId,
    servers: played.servers,
    skills: played.skills,
    listsAgain: true,
    errors: errorsOfChat,
    closed: notFound,
    notStored: visitConflicts.turnInterrupted,
    stdioAddressOf: (serverId) => turn.stdioAddressOf(serverId),
    mayOffer: () => true,
    asksFirst: ({ offered: { toolName, tool } }) =>
      played.client.config.requireToolApproval === true ||
      isHeldForWriting({ ...tool, name: toolName }),
    approvals: { insert: askForChatCall, resume: resumeChatTurn },
    shown: shownToMember,
    leftOutNote: leftOutOfChat,
    history: (sql) => readChatHistory(sql, turn.earlierIds),
    paying: (models) =>
      payingModels(models, {
        database: dependencies.database,
        place: { organizationId, projectId },
        kind: 'chat_turn',
        ref: id,
        creditsPerDay,
      }),
    drop: async (sql) => {
      await dropChatTurn(sql, id);
      return undefined;
    },
    store: (sql, ended) => store(sql, turn, ended),
  };
}

async function store(
  sql: Sql,
  turn: ChatTurnToRun,
  { status, error, messages, record, secrets, linesWith }: Parameters<PersonTurn['store']>[1],
): Promise<VisitLine | undefined> {
  const last: VisitLine = error ?? { type: 'turn_finish', messageCount: messages.length };
  const text = messages[0]?.text ?? '';
  const isStored = await storeChatTurn(sql, turn, {
    status,
    messages,
    lines: linesWith(last),
    trace: (record && storedProgress(record, secrets).trace) ?? null,
    usage: record?.usage ?? null,
    preview: withoutSecretShapes(text).slice(0, longestPreview).toWellFormed(),
    title: titleOfChat(text),
  });
  return isStored ? last : undefined;
}

/**
 * Returns a writer that stores all lines so far, one write after another. A page opened during the
 * turn may show fewer lines; the final write contains all of them.
 */
function linesWriter({ database }: TurnDependencies, { id, organizationId }: ChatTurnToRun) {
  let newest: readonly VisitLine[] = [];
  let written = 0;
  let isWriting = false;
  const write = async () => {
    while (written < newest.length) {
      const lines = [...newest];
      written = lines.length;
      await database
        .tenant([organizationId], (sql) => writeChatLines(sql, id, lines))
        .catch(() => undefined);
    }
    isWriting = false;
  };
  return (all: readonly VisitLine[]): void => {
    newest = all;
    if (isWriting) return;
    isWriting = true;
    void write();
  };
}

const longestPreview = 200;

function leftOutOfChat(name: string, needsOAuth: boolean): string {
  return needsOAuth
    ? `${name} is left out: connect it on its page first.`
    : `${name} is left out: it cannot be reached now.`;
}

/** Shows why a call failed, because members of the project may see that; a visitor may not. */
function shownToMember(output: ToolResultPart['output']): ShownResult {
  if (output.type !== 'error-text') return shownToVisitor(output);
  const content = [{ type: 'text', text: output.value }];
  return { ...shownToVisitor({ type: 'json', value: { content } }), isError: true };
}

const errorsOfChat: TurnErrors = {
  oauth_required: {
    code: 'OAUTH_REQUIRED',
    message:
      'A server of this conversation needs a sign-in. Connect it on its page, then send the message again.',
  },
  server_unreachable: {
    code: 'SERVER_UNREACHABLE',
    message:
      'A server of this conversation cannot be reached. Run the doctor on its page for the reason.',
  },
  provider_failed: {
    code: 'PROVIDER_FAILED',
    message: 'The model gave no answer. The server did not cause this. Send the message again.',
  },
  rate_limited: {
    code: 'PROVIDER_FAILED',
    message:
      'The provider of the model accepts no more requests for now. Send the message again in a moment.',
  },
};
