import type { ApiKey } from '@proofmark/contract';
import { Confirm } from '../../kit/confirm.tsx';
import { useChange } from '../../kit/data/operations.ts';
import { notify } from '../../kit/notice.tsx';

export function RevokeApiKey(props: { apiKey: ApiKey; onClose: () => void }) {
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
