/** Links between records as a small drawing: one record in the middle, what it is linked with around it. */

export interface Linked {
  link_id: string;
  left_type: string;
  left_id: string;
  right_type: string;
  right_id: string;
  relation: string;
}

export const leftOf = (link: Linked): string => `${link.left_type}/${link.left_id}`;
export const rightOf = (link: Linked): string => `${link.right_type}/${link.right_id}`;

export interface Neighbour {
  record: string;
  relation: string;
  /** Whether the link leads from the middle to it. */
  outward: boolean;
  x: number;
  y: number;
}

/** More would lie upon each other; the table beside it has them all. */
const MOST = 12;

/** What a record is linked with, each at its place on an ellipse around the middle, the first at the top. */
export function around(links: readonly Linked[], record: string, width: number, height: number): Neighbour[] {
  const found = links.flatMap((link) => {
    const [left, right] = [leftOf(link), rightOf(link)];
    if (left === record) return [{ record: right, relation: link.relation, outward: true }];
    return right === record ? [{ record: left, relation: link.relation, outward: false }] : [];
  });
  return found.slice(0, MOST).map((each, at, { length }) => {
    const angle = (2 * Math.PI * at) / length - Math.PI / 2;
    return { ...each, x: width / 2 + Math.cos(angle) * width * 0.36, y: height / 2 + Math.sin(angle) * height * 0.38 };
  });
}
