import { useState } from 'react';
import { Modal } from '../../kit/modal.tsx';

export interface ShownPicture {
  readonly source: string;
  /** The moment at which the picture was taken, for example "after step order". */
  readonly when: string;
  readonly width: number;
  readonly height: number;
}

export function WidgetPictures(props: { toolName: string; pictures: readonly ShownPicture[] }) {
  return (
    <ul className="widget-pictures">
      {props.pictures.map((picture) => (
        <li key={picture.when}>
          <figure>
            <PictureButton toolName={props.toolName} picture={picture} />
            <figcaption>{picture.when}</figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}

export function PictureButton({ toolName, picture }: { toolName: string; picture: ShownPicture }) {
  const [isLarge, setLarge] = useState(false);
  const { source, when, width, height } = picture;
  const name = `The widget of ${toolName}, ${when}`;
  return (
    <>
      <button
        type="button"
        className="widget-picture"
        aria-label={`${name}: show it larger`}
        onClick={() => setLarge(true)}
      >
        <img src={source} alt={name} width={width} height={height} loading="lazy" />
      </button>
      {isLarge && (
        <Modal title={name} onClose={() => setLarge(false)}>
          <img className="widget-large" src={source} alt={name} width={width} height={height} />
          <div className="actions">
            <button type="button" onClick={() => setLarge(false)}>
              Close
            </button>
          </div>
        </Modal>
      )}
    </>
  );
}
