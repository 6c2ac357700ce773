import '../playground.css';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../kit/data/client.ts';
import { DeleteEntity } from '../../../kit/delete-entity.tsx';
import { Field } from '../../../kit/field.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { ProjectCrumbs } from '../../../kit/frame/project-crumbs.tsx';
import { notify } from '../../../kit/notice.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { MakeCase } from '../../evals/index.ts';
import { ChatComposer } from '../chat-composer.tsx';
import { ChatLog } from '../chat-log.tsx';
import { type ChatAnswer, type ChatRead, heldWithWords, lanesOf } from '../chat-messages.ts';
import { type ChatIds, useChangeChat, useChat, useDeleteChat } from '../data/chats.ts';
import { ArchiveChat, RenameChat } from '../keep-chat.tsx';

const route = '/signed-in/projects/$projectId/playground/$chatSessionId';

export function ChatPage() {
  const ids = useParams({ from: route });
  // The key resets all state when another conversation is opened, so that streamed answers never
  // appear in the wrong one.
  return <Conversation key={ids.chatSessionId} ids={ids} />;
}

function Conversation({ ids }: { ids: ChatIds }) {
  const open = useChat(ids);
  const { chat } = open;
  const mayWrite = chat.data?.ownedByViewer === true;
  return (
    <PageFrame
      title={chat.data?.title ?? 'New conversation'}
      crumbs={<ProjectCrumbs projectId={ids.projectId} section="playground" />}
      intro={chat.data && heldWithWords(chat.data)}
      actions={
        <>
          {mayWrite && <RenameChat ids={ids} chat={chat.data as ChatRead} />}
          {mayWrite && <Share ids={ids} chat={chat.data as ChatRead} />}
          <ChatCase ids={ids} lanes={lanesOf(open.messages)} />
          {mayWrite && <ArchiveChat ids={ids} chat={chat.data as ChatRead} />}
          {mayWrite && <Delete ids={ids} />}
        </>
      }
    >
      <QueryView query={chat}>
        {(read) => (
          <div className="chat">
            <ChatLog open={open} mayWrite={mayWrite} />
            {read.problem !== null && (
              <p role="status" className="warning">
                {read.problem}
              </p>
            )}
            {!mayWrite && (
              <p className="hint">
                A colleague shares this conversation; they alone go on with it.
              </p>
            )}
            {mayWrite && read.problem === null && <ChatComposer open={open} chat={read} />}
          </div>
        )}
      </QueryView>
    </PageFrame>
  );
}

function Share({ ids, chat }: { ids: ChatIds; chat: ChatRead }) {
  const change = useChangeChat(ids);
  const isShared = chat.visibility === 'project';
  const onSuccess = () =>
    notify(isShared ? 'Only you see it now.' : 'Everyone who can see the project can read it now.');
  const onError = (error: Error) => notify(`Nothing was changed: ${error.message}`);
  return (
    <button
      type="button"
      disabled={change.isPending}
      onClick={() =>
        change.mutate({ visibility: isShared ? 'private' : 'project' }, { onSuccess, onError })
      }
    >
      {isShared ? 'Make private' : 'Share with project'}
    </button>
  );
}

function Delete({ ids }: { ids: ChatIds }) {
  const { projectId } = ids;
  const navigate = useNavigate();
  const remove = useDeleteChat(ids, () => {
    notify('The conversation was deleted.');
    const search = { section: 'playground' } as const;
    return navigate({ to: '/projects/$projectId', params: { projectId }, search });
  });
  return (
    <DeleteEntity what="conversation" name="this conversation" remove={remove}>
      <p>What was said is gone with it. Cases that were made of it stay.</p>
    </DeleteEntity>
  );
}

function ChatCase({ ids, lanes }: { ids: ChatIds; lanes: readonly ChatAnswer[] }) {
  const [chosen, setChosen] = useState<0 | 1>();
  const lane = chosen ?? lanes[0]?.lane ?? 0;
  return (
    <MakeCase
      projectId={ids.projectId}
      title="Make a case"
      isDisabled={lanes.length === 0}
      source={{
        makeIn: (suiteId) => client.createEvalCaseFromChat({ ...ids, body: { suiteId, lane } }),
      }}
      intro="What you said becomes its prompts. Each call that worked is expected again, with the same arguments, so the case passes as this conversation went."
    >
      {lanes.length > 1 && (
        <Field label="As it was answered by">
          {(control) => (
            <select
              {...control}
              value={lane}
              onChange={(event) => setChosen(event.target.value === '1' ? 1 : 0)}
            >
              {lanes.map((one) => (
                <option key={one.lane} value={one.lane}>
                  {one.lane === 0 ? 'the left' : 'the right'}, {one.modelId}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </MakeCase>
  );
}
