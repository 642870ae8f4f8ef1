//! The page as a whole: its state, what it does beside drawing, and where its parts stand.

use crate::browser::reading;
use crate::components::{
    Actions, AskingGitHub, Changes, Checklist, DeskNotes, FileRail, Header, InputBox, OriginLine,
    RecentReviews, RuleCard, Summary, Tabs, Trouble, Welcome,
};
use crate::desk::Desk;
use crate::diff_file::ChunkId;
use crate::hooks::{
    chosen_before, use_chosen, use_drop, use_fragment, use_github, use_keys, use_paste, use_review,
    use_search, use_share, use_shelf, use_worker,
};
use crate::state::{Action, Phase, State, Tab};
use report::{Report, Verdict};
use yew::prelude::*;

#[component]
pub(crate) fn App() -> Html {
    let state = use_reducer(|| State::with(chosen_before()));
    let act = {
        let dispatcher = state.dispatcher();
        use_callback((), move |action: Action, ()| {
            if let Some(here) = reading::before(&action) {
                dispatcher.dispatch(Action::Read(here));
            }
            if matches!(action, Action::Step(_) | Action::StepFile(_)) {
                reading::set_on_the_way(true);
            }
            dispatcher.dispatch(action);
        })
    };
    let worker = use_worker(act.clone());
    let ask = use_review(&state, &worker, act.clone());
    use_shelf(&state, act.clone());
    use_github(&state, &worker, act.clone());
    use_chosen(&state, &worker, act.clone());
    use_fragment(&state, act.clone());
    use_paste(act.clone());
    use_search(&state, &worker);
    use_keys(act.clone());
    let (ondragover, ondrop) = use_drop(act.clone());
    let (share, dialog) = use_share(&state, &worker, act.clone());
    let report = state.report.clone().filter(|_| state.is_done());
    let desk = Desk {
        kept: state.kept(),
        found: state.found.clone(),
        is_by_hand: matches!(state.phase, Phase::Failed(_)),
        gravity: state.chosen.gravity,
        asks_reason: state.asks_reason.clone(),
    };
    html! {
        <ContextProvider<Desk> context={desk}>
        <div class={page_class(&state)} {ondragover} {ondrop}>
            <Header chosen={state.chosen.clone()} helps={state.helps} act={act.clone()} />
            <Tabs tab={state.tab} act={act.clone()} />
            <AskingGitHub github={state.github.clone()} act={act.clone()} />
            <Trouble phase={state.phase.clone()} notice={state.notice.clone()} text={state.input.text.clone()} report={report} act={act.clone()} />
            <DeskNotes shelf={state.shelf.clone()} act={act.clone()} />
            <Body state={State::clone(&state)} {share} {ask} act={act.clone()} />
            { dialog }
        </div>
        </ContextProvider<Desk>>
    }
}

#[derive(Properties, PartialEq)]
struct BodyProps {
    state: State,
    share: Callback<()>,
    ask: Callback<Vec<ChunkId>>,
    act: Callback<Action>,
}

#[component]
fn Body(props: &BodyProps) -> Html {
    let (state, act) = (&props.state, &props.act);
    let report = state.report.clone().filter(|report| !report.is_empty());
    let done = state.report.clone().filter(|_| state.is_done());
    let found = state.found.clone().filter(|_| state.is_done());
    html! {
        <main>
            <div class="input-panel">
                if !state.has_review() {
                    <Welcome />
                }
                <InputBox input={state.input.clone()} can_undo={state.replaced.is_some()} github={state.github.clone()} act={act.clone()} />
                if state.input.is_blank() {
                    <RecentReviews shelf={state.shelf.clone()} act={act.clone()} />
                }
            </div>
            <div class="summary-bar">
                <Summary phase={state.phase.clone()} report={done} tour={tour(state)} act={act.clone()} />
                <Actions report={found.filter(|report| !report.is_empty())} files={state.files.clone()} text={state.input.text.clone()}
                    share={props.share.clone()} act={act.clone()} />
            </div>
            <FileRail files={state.files.clone()} act={act.clone()} />
            <Changes files={state.files.clone()} review={state.files_of} rows={state.rows.clone()} report={report.clone()} astray={state.astray.clone()}
                selected={state.selected.clone()} wish={state.wish.clone()} search={state.search.clone()} can_search={state.can_search()} ask={props.ask.clone()} lead={origin(state, act)} act={act.clone()} />
            <aside>
                <Checklist {report} filtered={state.filtered()} selected={state.selected.clone()} rule={state.rule} act={act.clone()} />
                if let Some(rule) = state.rule {
                    <RuleCard {rule} report={state.report.clone()} act={act.clone()} />
                }
            </aside>
        </main>
    }
}

/// Where the diff was fetched from, if it was.
fn origin(state: &State, act: &Callback<Action>) -> Html {
    let n_looks = |report: &Report| {
        let findings = report.findings.iter();
        findings
            .filter(|finding| finding.verdict == Verdict::Look)
            .count()
    };
    let n_looks = state
        .found
        .as_deref()
        .filter(|_| state.is_done())
        .map(n_looks);
    html! {
        if let Some(fetched) = state.fetched() {
            <OriginLine fetched={fetched.clone()} whole={state.whole.clone()} missing={state.missing_files()}
                {n_looks} act={act.clone()} />
        }
    }
}

/// The class tells the style sheet what a narrow screen shows, and whether there is a diff to show.
fn page_class(state: &State) -> Classes {
    let tab = match state.tab {
        Tab::Checklist => "shows-checklist",
        Tab::Changes => "shows-changes",
        Tab::Input => "shows-input",
    };
    classes!(
        "page",
        tab,
        (!state.has_review()).then_some("is-empty"),
        (state.phase == Phase::Empty).then_some("is-idle")
    )
}

fn tour(state: &State) -> (Option<usize>, usize) {
    let selected = state.selected.as_deref();
    let (mut here, mut all) = (None, 0);
    for id in state.filtered_tour() {
        all += 1;
        if Some(id) == selected {
            here = here.or(Some(all));
        }
    }
    (here, all)
}
