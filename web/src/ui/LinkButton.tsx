/** Links of the router in the clothes of buttons, list entries and plain text. */
import { Anchor, type AnchorProps, Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import { type AnchorHTMLAttributes, forwardRef } from "react";

type Plain<Props> = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props>;

export const LinkButton = createLink(
  forwardRef<HTMLAnchorElement, ButtonProps & Plain<ButtonProps>>(function LinkButton(props, ref) {
    return <Button component="a" ref={ref} {...props} />;
  }),
);

export const TextLink = createLink(
  forwardRef<HTMLAnchorElement, AnchorProps & Plain<AnchorProps>>(function TextLink(props, ref) {
    return <Anchor ref={ref} {...props} />;
  }),
);
