/** Asks for confirmation before saving drops credentials, and before the server is deleted. */
import type { BodyInputOf, ProjectServer } from '@proofmark/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Confirm } from '../../kit/confirm.tsx';
import { allBelow } from '../../kit/data/address-key.ts';
import { useChange } from '../../kit/data/operations.ts';
import { notify } from '../../kit/notice.tsx';
import { droppedCredentials } from './dropped-credentials.ts';
import { draftOf, updateBody } from './server-draft.ts';
import { ServerForm } from './server-form.tsx';

type Body = BodyInputOf<'updateProjectServer'>;

export function ServerEditor(props: { server: ProjectServer; onSaved: () => void }) {
  const { server } = props;
  const update = useChange(
    'updateProjectServer',
    { projectId: server.projectId, serverId: server.id },
    { readAgain: [allBelow('listProjectServers', { projectId: server.projectId })] },
  );
  const [waiting, setWaiting] = useState<{ body: Body; dropped: string[] }>();
  const save = (body: Body) => {
    setWaiting(undefined);
    update.mutate(body, {
      onSuccess: (saved) => {
        notify(`Server ${saved.name} saved.`);
        props.onSaved();
      },
    });
  };
  return (
    <>
      <ServerForm
        label="Server"
        start={draftOf(server)}
        stored={server}
        action="Save server"
        toBody={(draft) => updateBody(draft, server)}
        busy={update.isPending}
        error={update.error}
        onSave={(body, draft) => {
          const dropped = droppedCredentials(draft, server);
          if (Object.keys(body).length === 0) notify('Nothing was changed.');
          else if (dropped.length > 0) setWaiting({ body, dropped });
          else save(body);
        }}
      />
      {waiting !== undefined && (
        <Confirm
          title="Drop stored credentials?"
          action="Save and drop them"
          busy={false}
          error={null}
          onClose={() => setWaiting(undefined)}
          onConfirm={() => save(waiting.body)}
        >
          <p>
            The new address is on another origin. Credentials stay with the origin they were given
            for, so saving drops what is stored: {waiting.dropped.join(' and ')}.
          </p>
        </Confirm>
      )}
      <DeleteServer server={server} />
    </>
  );
}

function DeleteServer({ server }: { server: ProjectServer }) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const { projectId, id, name } = server;
  const remove = useChange(
    'deleteProjectServer',
    { projectId, serverId: id },
    {
      leave: () => {
        notify(`Server ${name} deleted.`);
        return navigate({ to: '/projects/$projectId', params: { projectId } });
      },
    },
  );
  return (
    <div className="danger-zone">
      <p className="hint">Deletes the server and its stored credentials. This cannot be undone.</p>
      <button type="button" className="danger" onClick={() => setAsking(true)}>
        Delete server
      </button>
      {asking && (
        <Confirm
          title={`Delete ${server.name}?`}
          action="Delete server"
          busy={remove.isPending}
          error={remove.error}
          onClose={() => setAsking(false)}
          onConfirm={() => remove.mutate()}
        >
          <p>Its stored credentials go with it.</p>
        </Confirm>
      )}
    </div>
  );
}
