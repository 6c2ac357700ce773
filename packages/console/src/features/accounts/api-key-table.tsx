import type { ApiKey } from '@proofmark/contract';
import { InstantText } from '../../kit/instant-text.tsx';
import { useOrganizationName } from './data/organizations.ts';

export function ApiKeyTable(props: { keys: readonly ApiKey[]; onRevoke: (key: ApiKey) => void }) {
  const organizationName = useOrganizationName();
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Organization</th>
          <th scope="col">Starts with</th>
          <th scope="col">Scope</th>
          <th scope="col">Created</th>
          <th scope="col">Expires</th>
          <th scope="col">Last used</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {props.keys.map((key) => (
          <tr key={key.id} className={isOver(key) ? 'over' : undefined}>
            <th scope="row">{key.name}</th>
            <td data-label="Organization">
              <bdi>{organizationName(key.organizationId)}</bdi>
            </td>
            <td data-label="Starts with" className="code">
              {key.start}…
            </td>
            <td data-label="Scope">{key.scope}</td>
            <td data-label="Created">
              <InstantText atMs={key.createdAt} />
            </td>
            <td data-label="Expires">
              {key.expiresAt === null ? 'never' : <InstantText atMs={key.expiresAt} />}
              {key.isExpired && <span className="tag">expired</span>}
            </td>
            <td data-label="Last used">
              {key.lastUsedAt === null ? 'never' : <InstantText atMs={key.lastUsedAt} />}
            </td>
            <td data-label="State">
              {key.revokedAt === null ? (
                <button
                  type="button"
                  className="small"
                  aria-label={`Revoke ${key.name}`}
                  onClick={() => props.onRevoke(key)}
                >
                  Revoke
                </button>
              ) : (
                <span>
                  revoked <InstantText atMs={key.revokedAt} />
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function isOver({ revokedAt, isExpired }: ApiKey): boolean {
  return revokedAt !== null || isExpired;
}
