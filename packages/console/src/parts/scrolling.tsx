/** What scrolls once it is too large for its place: then it is reached, and moved, by keys too, and says what it is. */
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

export function Scrolling(props: {
  label: string;
  /** A part of the page has its name also where all of it is seen. */
  as?: 'pre' | 'section';
  className?: string;
  children: ReactNode;
}) {
  const { as: Tag = 'pre', label, className, children } = props;
  const box = useRef<HTMLElement>(null);
  const [scrolls, setScrolls] = useState(false);
  const measure = () => {
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = box.current as HTMLElement;
    // Less than a pixel is rounding.
    setScrolls(scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1);
  };
  // A place that is full does not grow with what is in it, so it is measured after each change too.
  useLayoutEffect(measure);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it holds nothing of a render.
  useLayoutEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(box.current as HTMLElement);
    return () => observer.disconnect();
  }, []);
  return (
    <Tag
      ref={box as never}
      className={className}
      {...((scrolls || Tag === 'section') && { role: 'region', 'aria-label': label })}
      {...(scrolls && { tabIndex: 0 })}
    >
      {children}
    </Tag>
  );
}
