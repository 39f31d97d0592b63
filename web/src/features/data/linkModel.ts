/** Links between records as a small drawing: one record in the middle, what it is linked with around it. */

interface Linked {
  left_type: string;
  left_id: string;
  right_type: string;
  right_id: string;
}

export const leftOf = (link: Linked): string => `${link.left_type}/${link.left_id}`;
export const rightOf = (link: Linked): string => `${link.right_type}/${link.right_id}`;

/** What a record was found to be linked with. */
export interface Match {
  type: string;
  id: string;
  relation: string;
  direction: "forward" | "reverse";
}

export interface Neighbour {
  record: string;
  relation: string;
  /** Whether the link leads from the middle to it. */
  outward: boolean;
  x: number;
  y: number;
}

/** More would lie upon each other; how many there are besides is said. */
export const MOST = 12;

/** What a record is linked with, each at its place on an ellipse around the middle, the first at the top. */
export function around(matches: readonly Match[], width: number, height: number): Neighbour[] {
  return matches.slice(0, MOST).map(({ type, id, relation, direction }, at, { length }) => {
    const angle = (2 * Math.PI * at) / Math.min(length, MOST) - Math.PI / 2;
    return { record: `${type}/${id}`, relation, outward: direction === "forward", x: width / 2 + Math.cos(angle) * width * 0.36, y: height / 2 + Math.sin(angle) * height * 0.38 };
  });
}
