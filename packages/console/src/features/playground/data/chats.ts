import type { TextPiece } from '@proofmark/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { operationQuery, readAgain, useChange } from '../../../kit/data/operations.ts';
import {
  newTurn,
  type ToolPart,
  type TurnView,
  type VisitLine,
  withDecision,
  withLine,
  withPiece,
} from '../../visit/index.ts';
import { goesOn, type LiveAnswer, messagesOfChat } from '../chat-messages.ts';

export interface ChatIds {
  readonly projectId: string;
  readonly chatSessionId: string;
}

/** Maximum number of conversations in the list. The search finds older ones. */
export const chatsShown = 50;

/** Returns the newest conversations or, with a search, those whose title or text matches. */
export function useChats(projectId: string, words: string, status: 'active' | 'archived') {
  return useQuery({
    queryKey: [...keyOf('listSessions', { projectId, status }), words],
    queryFn: async ({ signal }) => {
      const read = (more: { q?: string; scope?: 'titles' | 'transcripts' }) =>
        client.listSessions(
          { projectId, sourceType: 'direct', status, limit: chatsShown, ...more },
          { signal },
        );
      if (words === '') return (await read({})).items;
      const found = await Promise.all(
        (['titles', 'transcripts'] as const).map((scope) => read({ q: words, scope })),
      );
      const byId = new Map(found.flatMap(({ items }) => items.map((item) => [item.id, item])));
      return [...byId.values()];
    },
    placeholderData: (before) => before,
  });
}

export function useChangeChat(ids: ChatIds) {
  return useChange('updateChatSession', ids, { readAgain: allOf(ids) });
}

export function useDeleteChat(ids: ChatIds, leave: () => Promise<void>) {
  return useChange('deleteChatSession', ids, {
    leave,
    readAgain: [keyOf('listSessions', { projectId: ids.projectId })],
  });
}

function allOf(ids: ChatIds) {
  return [keyOf('listSessions', { projectId: ids.projectId }), keyOf('getChatSession', ids)];
}

/** Includes answers that are being streamed to this page. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the members of one hook, which all change the same live answers.
export function useChat(ids: ChatIds) {
  const cache = useQueryClient();
  const [live, setLive] = useState<readonly LiveAnswer[]>([]);
  const [unsent, setUnsent] = useState<{ readonly text: string; readonly problem: string }>();
  const listening = useRef(new Set<AbortController>());
  const chat = useQuery({
    ...operationQuery('getChatSession', ids),
    // Turns that were started on another page, or before a reload, are not streamed to this page,
    // so they are polled.
    refetchInterval: ({ state }) =>
      state.data !== undefined && goesOn(messagesOfChat(state.data.turns, [])) ? 1000 : false,
  });
  useEffect(() => {
    const all = listening.current;
    return () => {
      for (const one of all) one.abort();
    };
  }, []);

  const change = useCallback(
    (messageId: string, lane: number, changed: (answer: LiveAnswer) => LiveAnswer) =>
      setLive((before) =>
        before.map((one) =>
          one.messageId === messageId && one.lane === lane ? changed(one) : one,
        ),
      ),
    [],
  );
  const ask = async (messageId: string, text: string, lane: 0 | 1, modelId: string) => {
    const view = newTurn(messageId, text);
    const others = (one: LiveAnswer) => one.messageId !== messageId || one.lane !== lane;
    setLive((before) => [...before.filter(others), { messageId, lane, modelId, view }]);
    const stop = new AbortController();
    listening.current.add(stop);
    let isTaken = false;
    const hear = (line: VisitLine | TextPiece) => {
      isTaken = true;
      const updated = (view: TurnView) =>
        line.type === 'text_piece' ? withPiece(view, line) : withLine(view, line);
      change(messageId, lane, (one) => ({ ...one, view: updated(one.view) }));
    };
    try {
      await client.watch(
        'takeChatTurn',
        { ...ids, body: { text, messageId, lane, modelId } },
        (line) => hear(line as unknown as VisitLine | TextPiece),
        { signal: stop.signal },
      );
    } catch (error) {
      // If the service accepted the turn, it continues without this page and is loaded again below.
      if (stop.signal.aborted || isTaken) return;
      setUnsent({ text, problem: error instanceof Error ? error.message : String(error) });
    } finally {
      listening.current.delete(stop);
      await readAgain(cache, allOf(ids));
      // The stored turn is loaded by now and contains at least as much as the streamed answer.
      setLive((before) => before.filter(others));
    }
  };
  return {
    chat,
    messages: messagesOfChat(chat.data?.turns ?? [], live),
    unsent,
    forgetUnsent: () => setUnsent(undefined),
    say: (text: string, modelIds: readonly string[], messageId: string = crypto.randomUUID()) => {
      setUnsent(undefined);
      for (const [lane, modelId] of modelIds.entries())
        void ask(messageId, text, lane as 0 | 1, modelId);
    },
    async stop(messageId: string, lane: number, chatTurnId: string) {
      const shown = (isStopping: boolean) =>
        change(messageId, lane, (one) => ({ ...one, view: { ...one.view, isStopping } }));
      shown(true);
      // If stopping fails, the button can be pressed again.
      await client.stopChatTurn({ ...ids, chatTurnId }).catch(() => shown(false));
    },
    async decide(
      { messageId, lane }: { readonly messageId: string; readonly lane: number },
      chatTurnId: string,
      call: ToolPart,
      decision: 'approve' | 'deny',
    ) {
      if (call.approval === undefined) return;
      const { approvalId, argumentsHash } = call.approval;
      const shown = (answer: 'approve' | 'deny' | undefined) =>
        change(messageId, lane, (one) => ({ ...one, view: withDecision(one.view, call, answer) }));
      shown(decision);
      const body = { approvalId, decision, argumentsHash };
      await client.answerChatApproval({ ...ids, chatTurnId, body }).catch(() => shown(undefined));
      await readAgain(cache, [keyOf('getChatSession', ids)]);
    },
  };
}

export type OpenChat = ReturnType<typeof useChat>;
