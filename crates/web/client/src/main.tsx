import { render } from "preact";
import { App, keys } from "./app";
import { open } from "./state";
import "./style/theme.css";
import "./style/page.css";
import "./style/board.css";
import "./style/panels.css";

void open();
addEventListener("keydown", keys);
render(<App />, document.getElementById("page")!);
