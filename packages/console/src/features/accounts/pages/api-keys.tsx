import type { ApiKey } from '@proofmark/contract';
import { useState } from 'react';
import { Confirm } from '../../../kit/confirm.tsx';
import { useChange, usePages } from '../../../kit/data/operations.ts';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { notify } from '../../../kit/notice.tsx';
import { Empty, QueryView } from '../../../kit/query-view.tsx';
import { ApiKeyTable } from '../api-key-table.tsx';
import { CreateApiKey } from '../create-api-key.tsx';
import { SettingsSections } from '../settings-sections.tsx';

export function ApiKeysPage() {
  const keys = usePages('listApiKeys', {});
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const create = (
    <button type="button" className="primary" onClick={() => setCreating(true)}>
      Create API key
    </button>
  );
  const isEmpty = keys.data?.length === 0;
  return (
    <PageFrame
      title="API keys"
      above={<SettingsSections />}
      intro="A key acts as you, in one organization. Programs, CI and agents use it to call the API."
      actions={isEmpty ? undefined : create}
    >
      <QueryView query={keys}>
        {(data) =>
          isEmpty ? (
            <Empty title="No API keys yet">
              <p>Create one to call the API from a terminal, CI or an agent.</p>
              {create}
            </Empty>
          ) : (
            <ApiKeyTable keys={data} onRevoke={setRevoking} />
          )
        }
      </QueryView>
      {keys.hasNextPage && (
        <div className="actions">
          <button
            type="button"
            disabled={keys.isFetchingNextPage}
            onClick={() => void keys.fetchNextPage()}
          >
            Show more
          </button>
        </div>
      )}
      {creating && <CreateApiKey onClose={() => setCreating(false)} />}
      {revoking !== undefined && (
        <RevokeApiKey apiKey={revoking} onClose={() => setRevoking(undefined)} />
      )}
    </PageFrame>
  );
}

function RevokeApiKey(props: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useChange('revokeApiKey', (keyId: string) => ({ keyId }));
  const { id, name, start } = props.apiKey;
  const onSuccess = () => {
    notify(`Key ${name} revoked.`);
    props.onClose();
  };
  return (
    <Confirm
      title={`Revoke ${name}?`}
      action="Revoke key"
      busy={revoke.isPending}
      error={revoke.error}
      onClose={props.onClose}
      onConfirm={() => revoke.mutate(id, { onSuccess })}
    >
      <p>
        Whatever uses the key <code>{start}…</code> is refused from then on. This cannot be undone.
      </p>
    </Confirm>
  );
}
