/** A button for something that needs a permission. Without it the button stays in its place, disabled, and says why. */
import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useSignedIn } from "../session/SignedIn";
import { Hint } from "./Hint";

interface Props extends ButtonProps {
  needs?: string;
  /** Another reason why it cannot be done now. */
  refusal?: string | undefined;
  onClick?: () => void;
  type?: "button" | "submit";
  children: ReactNode;
  "aria-label"?: string;
}

export function ActionButton({ needs, refusal, onClick, type = "button", ...rest }: Props) {
  const { t } = useTranslation();
  const { may } = useSignedIn();
  const reason = needs && !may(needs) ? t("common.needs_permission", { permission: needs }) : refusal;
  if (!reason) return <Button type={type} onClick={onClick} {...rest} />;
  // Not `disabled`: a disabled button takes no focus, and its reason could then not be reached by keyboard.
  return (
    <Hint described label={reason}>
      <Button {...rest} type="button" data-disabled aria-disabled="true" onClick={(event) => event.preventDefault()} />
    </Hint>
  );
}
