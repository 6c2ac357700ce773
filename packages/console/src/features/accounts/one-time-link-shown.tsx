import type { OneTimeLink } from '@proofmark/contract';
import type { ReactNode } from 'react';
import { CopyText } from '../../kit/copy-text.tsx';
import { InstantText } from '../../kit/instant-text.tsx';
import { Modal } from '../../kit/modal.tsx';

export function OneTimeLinkShown(props: {
  title: string;
  link: OneTimeLink;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Modal key="made" title={props.title} stay onClose={props.onClose}>
      <p className="warning">Copy it now. It cannot be shown again.</p>
      <CopyText text={props.link.url} label="Copy link" />
      <p className="hint">
        {props.children} It works once, until <InstantText atMs={props.link.expiresAt} />.
      </p>
      <div className="actions">
        <button type="button" className="primary" onClick={props.onClose}>
          Done
        </button>
      </div>
    </Modal>
  );
}
