import './playground.css';
import type { Project } from '@proofmark/contract';
import { count } from '@proofmark/domain';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { keyOf } from '../../kit/data/address-key.ts';
import { useChange, useWholeList } from '../../kit/data/operations.ts';
import { together } from '../../kit/data/together.ts';
import { useSettled } from '../../kit/data/use-settled.ts';
import { Checkbox, Field } from '../../kit/field.tsx';
import { FilterBox } from '../../kit/filter-box.tsx';
import { firstServers } from '../../kit/first-choice.ts';
import { Form } from '../../kit/form.tsx';
import { InstantText } from '../../kit/instant-text.tsx';
import { Empty, QueryView } from '../../kit/query-view.tsx';
import { chatsShown, useChats } from './data/chats.ts';

export function PlaygroundSection({ project }: { project: Project }) {
  const [words, setWords] = useState('');
  const sought = useSettled(words.trim());
  const [isArchived, setArchived] = useState(false);
  const chats = useChats(project.id, sought, isArchived ? 'archived' : 'active');
  return (
    <section aria-labelledby="playground">
      <h2 id="playground">Playground</h2>
      <p className="hint">
        Talk to a server to understand it before you test it: any model, every call in its place.
        Without a key, the lexical model chooses tools by their words.
      </p>
      <div className="begin-chat">
        <BeginChat projectId={project.id} />
      </div>
      <h3>Conversations</h3>
      <FilterBox
        label="Search titles and what was said"
        value={words}
        found={chats.data === undefined ? '' : `${chats.data.length} found`}
        onChange={setWords}
      />
      <Checkbox label="Archived ones" checked={isArchived} onChange={setArchived} />
      <QueryView query={chats}>
        {(found) => (
          <>
            {found.length === 0 ? (
              <NoChats words={sought} isArchived={isArchived} />
            ) : (
              <ChatList chats={found} />
            )}
            {sought === '' && found.length === chatsShown && (
              <p className="hint">
                These are the newest {chatsShown}; the search finds older ones.
              </p>
            )}
          </>
        )}
      </QueryView>
    </section>
  );
}

function NoChats({ words, isArchived }: { words: string; isArchived: boolean }) {
  if (words !== '') return <p className="hint">No conversation says “{words}”.</p>;
  if (isArchived) return <p className="hint">No conversation is archived.</p>;
  return (
    <Empty title="No conversations yet">
      <p>Choose what to talk to above. What is said is kept, and yours alone until you share it.</p>
    </Empty>
  );
}

type Chats = NonNullable<ReturnType<typeof useChats>['data']>;

function ChatList({ chats }: { chats: Chats }) {
  return (
    <ul className="chats">
      {chats.map((chat) => (
        <li key={chat.id}>
          <ChatName chat={chat} />
          {chat.matchPreview && chat.matchPreview !== chat.title && (
            <p className="foreign-text">{chat.matchPreview}</p>
          )}
          <p className="hint">
            {count(chat.messageCount, 'message')} · {chat.modelId ?? 'nobody answered yet'} ·{' '}
            {chat.visibility === 'project' ? 'shared with the project' : 'private'}
            {!chat.ownedByViewer && ', of a colleague'} · <InstantText atMs={chat.lastActivityAt} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function ChatName({ chat }: { chat: Chats[number] }) {
  const name = chat.title ?? 'Nothing said yet';
  if (chat.origin !== 'ui') return <span className="foreign-text">{name}</span>;
  return (
    <Link
      to="/projects/$projectId/playground/$chatSessionId"
      params={{ projectId: chat.projectId ?? '', chatSessionId: chat.id }}
      className="foreign-text"
    >
      {name}
    </Link>
  );
}

function BeginChat({ projectId }: { projectId: string }) {
  const targets = together({
    servers: useWholeList('listProjectServers', { projectId }),
    environments: useWholeList('listEnvironments', { projectId }),
    clients: useWholeList('listClients', { projectId }),
  });
  return (
    <QueryView query={targets}>
      {({ servers, environments, clients }) => (
        <ChooseTarget
          projectId={projectId}
          groups={[
            {
              label: 'Servers',
              field: 'serverId',
              all: servers,
              firstId: firstServers(servers)[0],
            },
            { label: 'Environments', field: 'environmentId', all: environments },
            { label: 'Clients with their servers', field: 'clientId', all: clients },
          ]}
        />
      )}
    </QueryView>
  );
}

interface TargetGroup {
  readonly label: string;
  readonly field: 'serverId' | 'environmentId' | 'clientId';
  readonly all: readonly { readonly id: string; readonly name: string }[];
  /** Id that is selected initially (default: the first of the list). */
  readonly firstId?: string | undefined;
}

function ChooseTarget(props: { projectId: string; groups: readonly TargetGroup[] }) {
  const { projectId } = props;
  const groups = props.groups.filter(({ all }) => all.length > 0);
  const [first] = groups;
  const navigate = useNavigate();
  const begin = useChange(
    'createChatSession',
    { projectId },
    { readAgain: [keyOf('listSessions', { projectId })] },
  );
  const [chosen, setChosen] = useState('');
  if (first === undefined) {
    return (
      <Empty title="Nothing to talk to yet">
        <p>A conversation is held with a saved server, or with a client and its servers.</p>
        <Link
          to="/projects/$projectId/servers/new"
          params={{ projectId }}
          className="button primary"
        >
          Add a server
        </Link>
      </Empty>
    );
  }
  const value = chosen || `${first.field} ${first.firstId ?? first.all[0]?.id}`;
  const submit = () => {
    const [field = '', id = ''] = value.split(' ');
    begin.mutate(
      { [field]: id },
      {
        onSuccess: (made) =>
          navigate({
            to: '/projects/$projectId/playground/$chatSessionId',
            params: { projectId, chatSessionId: made.id },
          }),
      },
    );
  };
  return (
    <Form
      label="Begin a conversation"
      problem={begin.error?.message}
      attempt={begin.error}
      onSubmit={submit}
      buttons={
        <button type="submit" className="primary" disabled={begin.isPending}>
          Begin
        </button>
      }
    >
      <Field label="Target">
        {(control) => (
          <select {...control} value={value} onChange={(event) => setChosen(event.target.value)}>
            {groups.map(({ label, field, all }) => (
              <optgroup key={field} label={label}>
                {all.map(({ id, name }) => (
                  <option key={id} value={`${field} ${id}`}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        )}
      </Field>
    </Form>
  );
}
